-- SPDX-License-Identifier: MIT
-- main.lua: from a robot and a layout to the programs of a header. Called by script.c.

local Frames = require "frames"
local Exact = require "exact"
local Layout = require "layout"
local Motors = require "motors"
local State = require "state"
local motion = require "motion"
local scalar = require "scalar"
local LoopTable = require "loop_table"
local Problem = require "problem"
local Physics = require "physics"
local mark = require "marks"
local LinkageWords = require "linkage_words"
local Linkages = require "linkages"
local Closures = require "closures"
local Qp = require("qp").qp
local Step = require("step").step

-- What the scripts of functions have: F.program(context, variant) makes one. F.doc: what it computes;
-- F.variants(context), F.frameless: what is counted; F.refused(context): why this robot or layout cannot have it;
-- F.named(context): whether a layout names it, without which it is none of all functions.
local scripts = {}
for _, f in ipairs(ag.functions) do scripts[f] = require(f.script)[f.name] end

local Main = {}

-- Which joint moves each body: its own, or the one that it mimics, by what ratio and offset. Joints are
-- numbered in the order of their bodies. leader[j]: the body of joint j. Dependent joints of linkages have no number:
-- what moves them depends on the state (linkages.lua).
local function follow(chain, reduced, linkages)
  chain.nj, chain.joint_of, chain.ratio, chain.offset, chain.leader, chain.joint_names = 0, {}, {}, {}, {}, {}
  chain.dependent, chain.embedded = {}, {}
  for _, l in ipairs(linkages) do
    for _, i in ipairs(l.dependent) do
      chain.dependent[i], chain.embedded[i], chain.ratio[i], chain.offset[i] = l, {}, 1, 0
    end
  end
  for i = 1, chain.n do
    if not reduced.bodies[i].mimic and not chain.dependent[i] then
      chain.nj = chain.nj + 1
      chain.joint_of[i], chain.ratio[i], chain.offset[i] = chain.nj, 1, 0
      chain.leader[chain.nj], chain.joint_names[chain.nj] = i, chain.bodies[i].link.joint.name
    end
  end
  -- ball joints: {name, id, body: the first of its three}
  chain.balls = {}
  for i, b in ipairs(chain.bodies) do
    local joint = b.link.joint
    if b.ball == 1 then chain.balls[#chain.balls + 1] = {name = joint.ball_name, id = joint.ball_id, body = i} end
  end
  for i = 1, chain.n do
    local leader = reduced.bodies[i].mimic
    if leader then
      local joint = chain.bodies[i].link.joint
      chain.joint_of[i], chain.ratio[i], chain.offset[i] = chain.joint_of[leader], joint.multiplier, joint.offset
      chain.mimics = true
    end
  end
end

-- Names of the coordinates (motion.lua), for comments and labels.
local function name_coordinates(chain)
  local list, base = {}, {[3] = {"x", "y", "yaw"}, [6] = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}}
  for c = 1, chain.nb do
    list[c] = {name = "base." .. base[chain.nb][c], id = "base_" .. base[chain.nb][c], label = "_base" .. c}
  end
  for j = 1, chain.nj do
    list[chain.nb + j] = {name = chain.joint_names[j], id = chain.bodies[chain.leader[j]].link.joint.id,
      label = tostring(j)}
  end
  return list
end

-- Linkages with the frames of a chain (linkages.lua).
local function linkages_of(chain, linkages)
  local by_link, list = {}, {}
  for _, f in ipairs(chain.frames) do by_link[f.link] = f end
  for k, l in ipairs(linkages) do
    list[k] = {name = l.name, dependent = l.dependent, independent = l.independent_bodies, motors = l.motor_bodies,
      steps = l.steps, tolerance = l.tolerance, ties = {}, start = {}}
    for a, i in ipairs(l.dependent) do list[k].start[a] = l.start[chain.bodies[i].link_index] or 0 end
    for n, t in ipairs(l.ties) do
      list[k].ties[n] = {frame = by_link[t.frame], to = by_link[t.to], rows = t.rows, length = t.length}
    end
  end
  return list
end

-- The bodies in the generator's frames, with their links. leaf: frames.lua; nb: freedoms of the base.
local function make_chain(model, reduced, leaf, nb, linkages)
  local chain = Frames.build(reduced, leaf)
  chain.nb, chain.reduced = nb, reduced
  chain.bodies[0].whole_inertia = chain.bodies[0].inertia
  for i, b in ipairs(chain.bodies) do
    b.link_index = reduced.bodies[i].link_index
    b.link = model.links[b.link_index]
    b.whole_inertia = b.inertia
  end
  follow(chain, reduced, linkages)
  chain.linkages = linkages_of(chain, linkages)
  chain.coordinates = name_coordinates(chain)
  -- how far the robot reaches at most (sliding joints by their limits), a millimetre at least
  chain.reach = 0
  local function length(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end
  for _, b in ipairs(chain.bodies) do
    chain.reach = chain.reach + length(b.p)
    if b.prismatic then
      chain.reach = chain.reach + math.max(math.abs(b.link.joint.lower or 1), math.abs(b.link.joint.upper or 1))
    end
  end
  local farthest = 0
  for _, f in ipairs(chain.frames) do farthest = math.max(farthest, length(f.p)) end
  chain.reach = math.max(chain.reach + farthest, 1e-3)
  return chain
end

local function passes_of(g) -- what a group lets pass
  return g.over == "yields" and ", yields to the artificial wrenches" or g.weights and ", weighs drivers" or ""
end

-- Remarks for the banner: the robot, its base, its rows.
local function describe(model, chain, layout)
  local root = "{" .. model.links[chain.frames[1].link].name .. "}"
  local base = {[0] = "fixed; " .. root .. " is the base frame", [3] = "planar, {", [6] = "floating, {"}
  base = chain.nb == 0 and base[0] or base[chain.nb]:gsub("{", root)
  local joints = (chain.nj == 0 and "no" or chain.nj) .. (chain.nj == 1 and " joint" or " joints")
  ag.remark("robot", model.name .. ", " .. joints .. ", base " .. base)
  for _, p in ipairs(layout.payloads) do
    local mass = p.mass == "input" and "mass in->" .. p.name .. ".mass" or string.format("%g kg", p.mass)
    ag.remark("payload", (p.name == "payload" and "" or p.name .. ": ") .. mass .. " fixed to {" .. p.frame_name ..
      "}" .. (p.at_run_time and ", given at run time" or ""))
  end
  for _, l in ipairs(chain.linkages) do
    local function named(list)
      local names = {}
      for k, i in ipairs(list) do names[k] = chain.bodies[i].link.joint.name end
      return table.concat(names, ", ")
    end
    ag.remark("linkage", l.name .. ": " .. named(l.dependent) .. " by " .. named(l.independent) .. ", solved by " ..
      math.tointeger(l.steps) .. " steps of Newton from in->linkage_start." .. l.name ..
      (l.motors and "; motors: " .. named(l.motors) or ""))
  end
  local world = chain.nb > 0 and "the world" or root
  for _, g in ipairs(layout.groups) do
    if g.joints then
      local of = #g.joints == 1 and " along joint " or " along joints "
      ag.remark("rows", g.name .. ": " .. #g.rows .. of .. table.concat(g.called, ", ") .. ", " .. g.kind ..
        (g.maskable and ", maskable" or "") .. passes_of(g))
      goto continue
    end
    local axes = {base = world, link = "{" .. g.frame_name .. "}", input = "in->axes." .. g.name}
    local along = g.free and "free directions" or "along the axes of " .. axes[g.axes]
    local what = g.to and g.kind .. ", tie of {" .. g.to_name .. "} to {" .. g.frame_name .. "}"
      or g.kind .. ", " .. g.acceleration
    local where = g.to and "" or " at the origin of {" .. g.frame_name .. "}"
    ag.remark("rows", g.name .. ": " .. #g.rows .. where .. ", " .. along .. ", " .. what ..
      (g.maskable and ", maskable" or "") .. passes_of(g))
    ::continue::
  end
end

-- The size of the problem for achd_qp.
local function plan_optimum(layout, chain)
  local plan = Qp.plan(layout, chain)
  for _, limit in ipairs {{"unknowns", ag.optimum_unknowns}, {"rows", ag.optimum_rows}} do
    local word, most = limit[1], limit[2]
    if plan[word] > most then
      layout.fail(plan[word] .. " " .. word .. " of the optimum are too many for the solver",
        "ask for " .. most .. " at most: name tips, lock joints, leave contacts or limits out")
    end
  end
  if plan.unknowns == 0 then
    layout.fail('realise = "' .. layout.asked .. '" needs a motor, and all joints are passive',
      "take a joint out of passive")
  end
  ag.optimum(plan.unknowns, plan.rows, plan.levels, #plan.rub)
  ag.remark("optimum", plan.unknowns .. " unknowns, " .. plan.rows .. " rows in levels 0 to " .. plan.levels ..
    (#plan.rub > 0 and ", friction of " .. #plan.rub .. (#plan.rub > 1 and " joints" or " joint") or ""))
end

-- The robot in the generator's frames: with the frames of links, and where only masses matter, with frames of the
-- leaves that look along these. Second result: the bodies whose inertias were regrouped.
local function make_chains(model, reduced, layout, chain, regroup, linkages)
  local keep = {}
  for _, l in ipairs(layout.inertia_inputs) do keep[l.frame.body] = true end
  for _, p in ipairs(layout.payloads) do
    if p.at_run_time then keep[p.frame.body] = true end
  end
  local moved = {}
  local chains = {link = chain}
  if #layout.wrenches == 0 and next(keep) == nil and #linkages == 0 then
    chains.mass = make_chain(model, reduced, "mass", chain.nb, linkages)
  end
  for _, leaf in ipairs {"mass", "link"} do
    if chains[leaf] then Exact.chain(chains[leaf]) end
    if chains[leaf] and regroup then moved = Frames.regroup(chains[leaf], keep) end
  end
  return chains, moved
end

-- What reduction leaves of the selected links, for frames.lua.
local function reduce(model, selection)
  local reduced = Frames.reduce(selection)
  for _, b in ipairs(reduced.bodies) do
    local joint = model.links[b.link].joint
    b.prismatic, b.ball = joint.type == "prismatic", joint.ball
    b.link_index, b.link = b.link, nil
  end
  for _, f in ipairs(reduced.frames) do
    if f.link == selection.root then f.body = 0 end
  end
  return reduced
end

-- Joints of the header, and the angles of which sines are taken.
local function list_joints(reduced, chain, layout)
  local joints, angles = {}, {}
  for j, i in ipairs(chain.leader) do
    local b = chain.bodies[i]
    local joint = b.link.joint
    joints[j] = {
      id = joint.id, name = joint.name, prismatic = b.prismatic, ball = b.ball and "ball." .. joint.ball_id or "",
      axis = b.ball or 0, parent = chain.joint_of[b.parent] or 0,
      lower = joint.lower, upper = joint.upper, velocity = joint.velocity, effort = layout.effort[j],
    }
    angles[j] = {joint = j, multiplier = 1, offset = 0}
  end
  for i, b in ipairs(chain.bodies) do
    if reduced.bodies[i].mimic and not b.prismatic then
      angles[#angles + 1] = {joint = chain.joint_of[i], multiplier = chain.ratio[i], offset = chain.offset[i]}
    end
    if reduced.bodies[i].mimic then
      ag.remark("mimic", b.link.joint.name .. " = " .. string.format("%g ", chain.ratio[i]) ..
        chain.joint_names[chain.joint_of[i]] .. string.format(" %+g", chain.offset[i]))
    end
  end
  if chain.nb == 3 then angles[#angles + 1] = {joint = 0, multiplier = 1, offset = 0} end
  return joints, angles
end

-- Motors of the header, where they are not joints.
local function list_motors(layout, chain)
  local list = {}
  for k, m in ipairs(layout.motors) do
    list[k] = {id = m.name, slides = m.own and chain.bodies[m.own].prismatic or false, velocity = m.velocity,
      effort = m.effort}
    if not m.own then
      local terms = {}
      for j, x in ipairs(layout.gears.G[k]) do
        local value = scalar.value(x)
        if value ~= 0 then terms[#terms + 1] = string.format("%+g %s", value, chain.joint_names[j]) end
      end
      ag.remark("motor", m.name .. " turns with " .. table.concat(terms, " "))
    end
  end
  ag.motors(list, layout.gears:couples())
end

-- Whether rotors couple joints of these chains.
local function couple(layout, chains)
  for _, chain in pairs(chains) do chain.coupled = layout.gears ~= nil and layout.gears:couples() end
end

-- Rows of the header: those of groups, then those along joints.
local function list_rows(chain, layout)
  local rows = {}
  local function slides(joint) return chain.bodies[chain.leader[joint]].prismatic end
  local function kind_of(g, k)
    if g.joints then return slides(g.joints[k]) and "linear" or "angular" end
    return g.free and "free" or g.rows[k]:match("^lin") and "linear" or "angular"
  end
  local function joint_of(g, k) -- that moves the row; 0: none, or two frames
    if g.joints then return g.joints[k] end
    return not g.to and chain.joint_of[g.frame.body] or 0
  end
  local function weights_of(g, k) -- by driver, where they are constants
    if type(g.weights) ~= "table" then return nil end
    local list = {}
    for d, name in ipairs(layout.drivers) do list[d] = g.weights[name][k] end
    return list
  end
  for _, g in ipairs(layout.groups) do
    for k, name in ipairs(g.rows) do
      rows[#rows + 1] = {group = g.name, name = name, maskable = g.maskable, set_point = true, joint = joint_of(g, k),
                         bounds = State.bounds_at_run_time(g, k),
                         compliance = g.compliance and math.type(g.compliance[k]) and g.compliance[k] or 0,
                         weighted = g.weights == "input", weights = weights_of(g, k),
                         compliant = State.compliance_at_run_time(g, k), kind = kind_of(g, k)}
    end
  end
  for _, g in ipairs(layout.optimum and {} or layout.joint_groups) do
    for k, name in ipairs(g.rows) do
      local joint = g.joints[k] or 0 -- 0: of a motor
      rows[#rows + 1] = {group = g.name, name = name, set_point = g.b == "input", joint = joint, compliance = 0,
                         kind = joint > 0 and slides(joint) and "linear" or "angular"}
    end
  end
  return rows
end

-- By measurement: docs/performance.md, "The default threshold". For double and for float.
local default_thresholds = {damp = {1e-6, 3e-6}, drop = {1e-6, 3e-6}, truncate = {1e-10, 1e-5}}

-- Where linkages are closed with their independent joints at 0 (loops.lua: the default of linkage_start).
local function begin_linkages(selection, layout, chain)
  for k, l in ipairs(chain.linkages) do
    local residual
    if not Linkages.determined(l, chain) then
      layout.fail_at({"linkages", k}, 'the rows of linkage "' .. l.name ..
        '" do not determine its dependent joints: ' .. "some rows follow from others, or nothing moves along them",
        "name the directions in which the loop can move apart")
    end
    l.begin, residual = Linkages.closed_at_zero(l, chain)
    l.apart = residual ~= residual or residual > 1e-6
    if l.apart then
      selection.reader:warn({"linkages", k}, string.format(
        'linkage "%s" is not closed with its independent joints at 0 (%.2g m or rad are left): the default of ' ..
        "linkage_start.%s is no position of it", l.name, residual, l.name))
    end
  end
end

-- model: links as script.c pushes them; raw, sources: the layout's table, and the files that it is made of;
-- options: {single, formulation, functions, name, check, threshold}. Declares everything that stands before a function:
-- joints, rows. Returns what is known of the header, which all that follows takes as `context`, and whether the layout
-- bounds rows.
function Main.open(model, raw, sources, options)
  local selection = Layout.select(model, raw, sources)
  local reduced = reduce(model, selection)
  LinkageWords.place(selection, reduced)
  local linkages = selection.linkages
  local chain = make_chain(model, reduced, "link", ({fixed = 0, planar = 3, floating = 6})[selection.base], linkages)
  local layout = Layout.resolve(selection, chain)
  if options.check then Layout.widen(selection, chain, layout) end
  begin_linkages(selection, layout, chain)
  local chains, moved = make_chains(model, reduced, layout, chain, options.regroup, linkages)
  if layout.default_threshold then
    layout.singular_threshold = default_thresholds[layout.singularity][options.single and 2 or 1]
  end
  layout.singular_threshold = options.threshold or layout.singular_threshold -- where a check raises it

  local joints, angles = list_joints(reduced, chain, layout)
  local rows = list_rows(chain, layout)
  if layout.optimum then plan_optimum(layout, chain) end
  local name = (options.name or selection.name or model.id) .. (options.casadi and "_solver" or "")
  ag.header(name, joints, rows, angles, chain.nb, Motors.needed(layout, chain), layout.drivers)

  describe(model, chain, layout)
  if #layout.groups > 0 and not layout.bounded then
    local alone = "; where only the product of several is small, SINGULAR is set and no policy acts"
    ag.remark("rank", "rows that depend on others, or nearly (relative pivot below the threshold): policy " ..
      layout.singularity .. string.format(", threshold %g", layout.singular_threshold) ..
      (#rows > 1 and layout.singularity ~= "truncate" and alone or ""))
  end
  mark(model, selection, chain, layout)
  local names = {}
  for k, i in ipairs(moved) do names[k] = chain.bodies[i].link.name end
  if #names > 0 then
    ag.remark("regrouped", "parts of these links' masses and inertias are added to their parents', which changes no " ..
      "motion: " .. table.concat(names, " ", 1, #names))
  end
  Exact.layout(layout, chains)
  couple(layout, chains)
  if layout.motors then list_motors(layout, chain) end
  return {
    faults = {inertia = reduced.inertia_fault, pivot = reduced.pivot_fault},
    layout = layout, chains = chains, single = options.single, base_name = model.links[chain.frames[1].link].name,
    formulation = options.formulation, one_way = options.one_way, lanes = options.lanes, look = options.look,
    check = options.check,
    model = model, info = {}, chosen = {}, selection = selection,
    rows = layout.optimum and "optimal" or layout.bounded and "bounded" or "plain",
  }, layout.bounded
end

-- Does a function name no frame of the robot, so that the leaves' frames may turn?
local function frameless(context, F)
  if type(F.frameless) == "function" then return F.frameless(context) end
  if F.frameless ~= nil then return F.frameless end
  local o = context.layout.frame_outputs
  return #context.layout.groups == 0 and #o.acc + #o.twist + #o.pose == 0
end

local longest_joint_space = 200 -- [joints]

-- Formulations of a fast way: for most states, before the general one.
local before_general = {null = true, early = true}

-- The variants of a program worth counting: formulation, way to the Jacobian, axes; leaf: which way the
-- frames of the leaves look.
local function ways(context, F)
  local own = F.variants and F.variants(context)
  if own then return own end
  local list = {}
  local forced = not before_general[context.formulation or ""] and context.formulation or nil
  if context.chains.link.mimics then
    if forced == "recursion" then
      ag.fail_model(0, "the robot has joints that mimic others, which the recursion cannot do",
        "leave --formulation out, or write --formulation joint")
    end
    forced = "joint"
  end
  if context.chains.link.coupled then
    if forced == "recursion" then
      context.layout.fail_at({"transmissions"}, "rotors couple joints, which the recursion cannot do",
        "leave --formulation out, or write --formulation joint")
    end
    forced = "joint"
  end
  -- Of long trees the recursion has fewer operations anyway; to count those in joint space takes their cube in time.
  if not forced and context.chains.link.nj > longest_joint_space then forced = "recursion" end
  for _, axes in ipairs {"matrix", "chain"} do
    if forced ~= "joint" then list[#list + 1] = {formulation = "recursion", way = "wrench", axes = axes} end
    if forced ~= "recursion" then
      for _, way in ipairs {"tip", "base", "wrench"} do
        if not (way == "base" and axes == "chain") then
          list[#list + 1] = {formulation = "joint", way = way, axes = axes}
        end
      end
    end
  end
  return list
end

-- sums: whether joints with parallel axes turn wrenches and axes by the sum of their angles (motion.lua).
local function variants(context, F)
  local list = {}
  local parallel = motion.has_parallel_axes(context.chains.link)
  for _, v in ipairs(ways(context, F)) do
    for _, leaf in ipairs(context.chains.mass and frameless(context, F) and {"link", "mass"} or {"link"}) do
      for _, sums in ipairs(parallel and {false, true} or {false}) do
        list[#list + 1] = {formulation = v.formulation, way = v.way, axes = v.axes, leaf = leaf, sums = sums,
          equations = context.equations}
      end
    end
  end
  return list
end

-- The line of functions.def for a name and the rows of this layout, or for other rows, and its script.
local function function_of(context, name)
  local found
  for _, f in ipairs(ag.functions) do
    if f.name == name and (not found or f.rows == context.rows) then found = f end
  end
  return found, scripts[found]
end

local function goes_with(f, rows) return f.rows == "any" or f.rows == rows end

-- Why a layout with rows of one kind has no function for those of another, and what takes its place.
local function fault_of_rows(context, f)
  if goes_with(f, context.rows) then return nil end
  local place = "qp"
  for _, other in ipairs(ag.functions) do
    if other.role == f.role and other.rows == context.rows then place = other.name end
  end
  local write = "write --functions " .. place
  if context.rows == "optimal" then
    return {what = f.name .. ' does not solve what realise = "' .. context.layout.asked .. '" asks for', remedy = write}
  end
  if f.rows == "optimal" then
    return {what = f.name .. ' is for realise = "optimum"',
      remedy = 'write --functions achd, or realise = "optimum" in the layout'}
  end
  if context.rows == "bounded" then
    return {what = f.name .. " solves rows without bounds, and the layout bounds some", remedy = write}
  end
  return {what = f.name .. " is for bounded rows, and the layout has none",
    remedy = write .. ", or bound rows: bounds, friction, limits"}
end

-- Of robots with linkages: what needs more of these than what moves their joints.
local function fault_of_linkages(context, f)
  if #context.chains.link.linkages == 0 then return nil end
  local step, steps = context.layout.step, f.name:match("^d?step")
  if steps and (step.integrator ~= "semi_implicit" or step.substeps ~= 1) then
    return {what = "a step of a robot with linkages is one of semi_implicit, whose end is where the next one begins",
      remedy = 'write integrator = "semi_implicit", and leave substeps out'}
  end
  if steps and #Closures.groups(context.layout) > 0 then
    return {what = "a step of a robot with linkages holds no rows", remedy = "write loops = {} in step"}
  end
  if f.name == "dstep" and Step.unilateral(context.layout) then
    return {what = "dstep of a robot with linkages knows no contacts, limits or dry friction",
      remedy = "leave dstep out: step_begin and step_end have them"}
  end
  if not f.of_ratios then return nil end
  return {what = f.name .. " does not know linkages, whose joints move by ratios that depend on the position",
    remedy = "leave it out, or write the loops as groups with `to`"}
end

-- Why this robot or this layout cannot have function f: {line, what, remedy}, without a line where the layout is to
-- blame.
local function fault_of(context, f)
  local faults, F = context.faults, scripts[f]
  return f.of_masses and faults.inertia or f.of_accelerations and faults.pivot or fault_of_rows(context, f) or
    fault_of_linkages(context, f) or F.refused and F.refused(context)
end

-- Fails where the robot or the layout lacks what the function needs; warns of what is odd for it.
local function check_function(context, f)
  local fault, pivot, layout = fault_of(context, f), context.faults.pivot, context.layout
  local but = fault and fault == pivot and "; --functions fk,jac need no masses" or ""
  if fault and fault.line then ag.fail_model(fault.line, fault.what, fault.remedy .. but) end
  if f.of_masses and pivot and not context.told_pivot then
    context.told_pivot = true
    ag.warn(pivot.line, pivot.what)
  end
  if f.of_frames and layout.tell_choice then layout.tell_choice() end
  if fault then layout.fail(fault.what, fault.remedy) end
end

-- The names of all functions that robot and layout allow: solves with their partners, then what surrounds these, then
-- derivatives.
function Main.all_functions(context)
  local names = {}
  for _, role in ipairs {"solve", "family", "derivatives"} do
    for _, f in ipairs(ag.functions) do
      local named = not scripts[f].named or scripts[f].named(context)
      if f.role == role and named and not fault_of(context, f) then
        names[#names + 1] = f.name
        names[#names + 1] = f.partner
      end
    end
  end
  return names
end

-- Starts a candidate of function f.
local function start(f, F, formulation) ag.program(f.name, F.doc, formulation, f.takes, f.fills, f.after) end

-- A fast way is added to the general one where it has at most this share of its operations, and so many
-- fewer at least.
local worthwhile, least_gain = {null = 0.9, early = 0.95}, 50

-- The cheapest choice of one fast way {formulation, of} of function f (rows_first.lua, early_rows.lua). variant(way,
-- choice): the variant with it. Returns the choice, its count, and the count to be expected; or nil and why not.
local function choose_way(context, f, way, variant, least)
  local forced, F = context.formulation, scripts[f]
  local fault = way.of.fault(context)
  if fault then return nil, fault end
  local function count(choice)
    local made
    start(f, F, way.formulation)
    if ag.attempt(function() made = F.program(context, variant(way, choice)) end) and made then
      return (ag.flops()), choice.share
    end
  end
  local choice, operations, expected = way.of.choose(count, context.layout, context.chains.link, least, forced)
  if not choice then return nil, "the rows ask for more than the joints can do" end
  return choice, operations, expected
end

-- Makes function f once more, with a fast way before the best variant of the others, where that has fewer
-- operations. counted: takes the operations of each fast way.
-- Returns the variant that has one, nil: none is worth it.
local function add_fast_way(context, f, general, least, counted)
  local forced, F = context.formulation, scripts[f]
  if (forced and not before_general[forced]) or context.one_way then return nil end
  local function variant(way, choice)
    return {formulation = way.formulation, way = general.way, axes = general.axes, leaf = general.leaf,
      sums = general.sums, general = general.formulation, rows_first = choice}
  end
  local best, chosen, most = nil, nil, math.huge
  for _, way in ipairs(F.fast_ways) do
    if forced == way.formulation or not forced and not (way.not_in_float and context.single) then
      local choice, operations, expected = choose_way(context, f, way, variant, least)
      if not choice and forced then
        context.layout.fail("--formulation " .. forced .. " is not for this layout: " .. operations,
          "leave --formulation out")
      end
      if choice then counted[way.formulation] = operations end
      if choice and expected < most then best, chosen, most = way, choice, expected end
    end
  end
  local worth = best and most <= worthwhile[best.formulation] * least and most + least_gain <= least
  if not best or (not forced and not worth) then return nil end
  if forced and chosen.share == 0 then
    context.layout.warn("--formulation " .. forced .. ": of some random states none takes this solve of " .. f.name ..
      ", as where a row is there twice: the general solve is taken every time; leave --formulation out")
  end
  chosen.alone = nil
  local whole = variant(best, chosen)
  start(f, F, best.formulation)
  if not ag.attempt(function() F.program(context, whole) end) then return nil end
  ag.flops()
  ag.keep(chosen.share)
  return whole
end

-- To look at: how many operations fewer function f has by adding up the angles of joints with parallel axes. whole: the
-- variant that was chosen, of so many operations; without: the fewest of those that were counted joint by joint.
local function saved_by_sums(context, f, whole, operations, without)
  if not context.look or not motion.has_parallel_axes(context.chains.link) then return 0 end
  local way = whole.rows_first and setmetatable({sums = false, alone = true}, {__index = whole.rows_first})
  local plain = setmetatable({sums = false, rows_first = way}, {__index = whole})
  start(f, scripts[f], whole.formulation)
  if ag.attempt(scripts[f].program, context, plain) then without = math.min(without, ag.flops()) end
  return without < math.huge and without - operations or 0
end

-- A race of variants that differ only up to some point: those that have the fewest operations there are left to be
-- made. The last variant goes on where it wins (Matrices.stops); one without such a point is made as a whole, and so
-- are those behind it.
local function race(list, try)
  local winner, run = nil, {least = math.huge}
  for k, v in ipairs(list) do
    run = {least = run.operations and math.min(run.least, run.operations) or run.least, last = k == #list}
    try(v, run)
    if not run.operations then return table.move(list, k + 1, #list, 1, {}) end
    if run.operations < run.least then winner = run.stopped and v or nil end
  end
  return {winner}
end

-- Makes function f in every variant; the one with the fewest operations is kept. Returns {best, least, counted =
-- {[formulation] = operations}, joint_by_joint: without sums of angles}.
local function count_variants(context, f)
  local F, made = scripts[f], {counted = {}, joint_by_joint = math.huge}
  local counted = made.counted
  local function try(v, run)
    start(f, F, v.formulation)
    context.run = run
    local info
    local short = ag.attempt(function() info = F.program(context, v) end)
    context.run = nil
    if not short or run and run.stopped then return end
    local flops = ag.flops()
    counted[v.formulation] = math.min(counted[v.formulation] or math.huge, flops)
    if not v.sums then made.joint_by_joint = math.min(made.joint_by_joint, flops) end
    if not made.least or flops < made.least then
      made.best, made.least = v, flops
      context.info[f.name] = info
      ag.keep()
    end
  end
  local list = variants(context, F)
  if F.races and #list > 1 then list = race(list, try) end
  for _, v in ipairs(list) do try(v) end
  return made
end

-- The null-space solve that function f has where no formulation is forced, nil: it has none, but perhaps early
-- elimination. pivot_min is of its equations in every formulation: one quantity, however the rest is computed.
local function equations_of(context, f)
  local asked = false
  for _, name in ipairs(context.layout.outputs) do asked = asked or name == "pivot_min" end
  local one_way = context.one_way or context.formulation and not before_general[context.formulation]
  local F = scripts[f]
  if not asked or not one_way or context.check or not F.fast_ways then return nil end
  local free = setmetatable({formulation = false, one_way = false, info = {}}, {__index = context})
  local made = count_variants(free, f)
  if not made.best then return nil end
  local whole = add_fast_way(free, f, made.best, made.least, {})
  return whole and not whole.rows_first.early and whole.rows_first or nil
end

-- Makes function `name` in every variant and keeps the one with the fewest operations.
function Main.build(context, name)
  local f, F = function_of(context, name)
  check_function(context, f)
  context.equations = equations_of(context, f)
  local made = count_variants(context, f)
  local best, least, counted = made.best, made.least, made.counted
  local for_lanes = context.lanes and best and F.for_lanes and F.for_lanes(context, best)
  if for_lanes then
    start(f, F, best.formulation)
    if ag.attempt(F.program, context, for_lanes) then ag.keep_for_lanes() end
  end
  local fast
  if best and F.fast_ways then fast = add_fast_way(context, f, best, least, counted) end
  if not best then
    ag.fail(0, 1, '"' .. name .. '" becomes too long for straight-line code',
      "name the tips that you need, lock joints, or ask for fewer rows and outputs")
  end
  local saved = saved_by_sums(context, f, fast or best, fast and counted[fast.formulation] or least,
    fast and math.huge or made.joint_by_joint)
  ag.counted(F.variants and 0 or counted.recursion or 0, counted.joint or 0, counted.null or 0, counted.early or 0,
    saved)
  context.chosen[name] = fast or best
end

-- What options do not know of linkages.
local function refuse_linkages(context, option, remedy)
  if #context.chains.link.linkages == 0 then return end
  context.layout.fail_at({"linkages"}, option .. " does not know linkages", remedy)
end

-- What a simulator needs beside the tree (physics.lua).
function Main.physics(context)
  return Physics.of(context)
end

-- The robot for the control loop in C (--loop).
function Main.loop(context)
  refuse_linkages(context, "--loop", "leave it out: linkage_start of each cycle is linkage_end of the last one")
  return LoopTable.of(context)
end

-- The chosen variant of a function on plain numbers: the same script, no DAG.
function Main.numbers(context, name)
  local _, F = function_of(context, name)
  F.program(context, context.chosen[name])
end

-- What a function is about, for its proof: of one that goes on with what another put out, in the frames of that one.
function Main.problem(context, name)
  return Problem.of(context, context.chosen[function_of(context, name).after or name])
end

return Main
