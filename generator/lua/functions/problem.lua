-- SPDX-License-Identifier: MIT
-- problem.lua: what a function is about, as data: the robot, its rows, wrenches and outputs, for the proof that the
-- function is what the equations of motion say (prove/definition.h). Numbers only, no formulas: these are not the
-- scripts' there.

local Friction = require "qp_friction"
local Closures = require "closures"
local Linkages = require "linkages"
local EarlyRows = require "early_rows"
local Step = require("step").step

local Problem = {}

-- A step that prove/definition.c knows.
function Problem.simple_step(layout)
  local step = layout.step
  local held = #Closures.groups(layout) > 0 or Step.unilateral(layout)
  return step.integrator == "semi_implicit" and step.substeps == 1 and not held
end

local function plain(value, nothing) return value ~= "input" and value or nothing end

local function frame_of(f) return f and {body = f.body, p = f.p, R = f.R} or nil end

local function truth(x) return x and true or false end

-- list: of numbers by joint, with holes
local function by_joint(chain, list, nothing)
  local r = {}
  for j = 1, chain.nj do r[j] = list and list[j] or nothing end
  return r
end

local function bodies_of(chain, armature)
  local bodies = {}
  for i, b in ipairs(chain.bodies) do
    bodies[i] = {
      parent = b.parent, prismatic = truth(b.prismatic), gamma = {b.cg, b.sg}, alpha = {b.ca, b.sa},
      theta = {b.ct, b.st}, ball = b.ball or 0, before = b.before, after = b.after,
      quaternion = b.ball and "ball." .. b.link.joint.ball_id,
      p = b.p, inertia = b.whole_inertia, joint = chain.joint_of[i] or 1,
      ratio = chain.joint_of[i] and chain.ratio[i] or 0, offset = chain.offset[i], -- 0: of a linkage, moved by several
      armature = armature and armature[i] or 0,
    }
  end
  return bodies
end

local function group_of(g)
  local contact = g.contact
  return {
    name = g.name, rows = g.rows, axes = g.axes or "joint", physical = g.kind == "physical", free = truth(g.free),
    spatial = g.acceleration == "spatial", yields = g.over == "yields", frame = frame_of(g.frame), to = frame_of(g.to),
    joints = g.joints or {}, maskable = truth(g.maskable), compliance = g.compliance, lo = g.lo, hi = g.hi,
    has_contact = truth(contact),
    contact = contact and {normal = contact.normal or 0, mu = plain(contact.mu), threshold = contact.threshold,
      sides = contact.sides, points = contact.points or nil} or nil,
    priority = g.priority, weight = g.weight, wanted = truth(g.wanted), ranged = truth(g.upper),
  }
end

local function joint_group_of(chain, g)
  local lower, upper = {}, {}
  for j, i in ipairs(chain.leader) do
    lower[j], upper[j] = chain.bodies[i].link.joint.lower or 0, chain.bodies[i].link.joint.upper or 0
  end
  return {
    name = g.name, rows = g.rows, joints = g.joints, physical = g.kind == "physical",
    friction = (g.coulomb or g.motors) ~= nil, motors = g.motors or {}, thresholds = g.thresholds,
    coulomb = type(g.coulomb) == "table" and by_joint(chain, g.coulomb, 0) or nil, threshold = g.threshold,
    breakaway = type(g.breakaway) == "table" and by_joint(chain, g.breakaway, -1) or nil,
    breakaway_input = g.breakaway == "input",
    period = plain(g.period), period_input = g.period == "input",
    viscous_input = g.viscous == "input", viscous = type(g.viscous) == "table" and by_joint(chain, g.viscous, 0) or nil,
    limits = g.margin ~= nil or g.side ~= nil, side = g.side, step = g.step,
    velocity = g.side and by_joint(chain, g.velocity, -1) or nil,
    acceleration = g.side and by_joint(chain, g.acceleration, -1) or nil,
    stops = g.side and by_joint(chain, g.stops, 0) or nil,
    effort = g.effort and by_joint(chain, g.effort, -1) or nil, effort_at_motors = truth(g.effort_at_motors),
    margin = g.margin, rate = g.rate, given_b = g.b == "input", lower = lower, upper = upper,
  }
end

-- Motors that are not joints: by what each turns with the joints of the bodies; its limit, where it moves several
-- joints, and whether it is in a transmission with such a motor (beside).
local function motors_of(chain, layout)
  local list, limited, beside = {}, {}, layout.motor_at or {}
  local none = layout.optimum and layout.asked ~= "optimum" -- of motors without limits
  for _, m in ipairs(not none and layout.limited or {}) do limited[m] = true end
  for m, motor in ipairs(layout.motors or {}) do
    list[m] = {ratio = {}, inertia = motor.inertia, viscous = motor.viscous, coulomb = motor.coulomb,
      effort = limited[m] and motor.effort or math.huge, beside = beside[m] or false}
    for i = 1, chain.n do list[m].ratio[i] = motor.of[i] or 0 end
  end
  return list
end

-- The equations for accelerations whose pivots a null-space solve looks at (rows_first.lua, null_space.lua): six of
-- each body in `bodies` that is held whole, seen from another; then rows by number. Columns are those of coordinates,
-- then what the bodies do `unasked`;
-- `held` are left out. Eliminated are the equations of `steps`, each with a column. A row's
-- square counts as no less than `least`, where that is a number; lengths are compared with `reach`.
local function equations_of(plan, reach)
  local steps, blocks = {}, {}
  for k, step in ipairs(plan.steps) do steps[k] = {equation = step.row, column = step.column} end
  for k, block in ipairs(plan.blocks) do
    blocks[k] = {}
    for a, r in ipairs(block.rows) do blocks[k][a] = {equation = r, least = plan.least[r]} end
  end
  return {bodies = plan.bodies, rows = plan.others, held = plan.held, steps = steps, blocks = blocks,
    reach = reach}
end

-- Rows that are eliminated together before the base (early_rows.lua), by number, along the axes of their frames in the
-- groups `turned`, and the coordinates that they pass; lead: those that the first of them passes, which is eliminated
-- before the others, {}: none is.
local function sets_of(chain, sets)
  local list = {}
  for k, set in ipairs(sets) do
    local coordinates, lead = EarlyRows.passed(chain, set)
    list[k] = {rows = set.rows, coordinates = coordinates, lead = lead, turned = set.turned}
  end
  return list
end

-- Linkages by their bodies, joints and links (check/linkages.h), and by their frames (prove/closing.h); blocks: rows
-- and columns of their equations that have nothing to do with the others.
local function linkages_of(chain, single)
  local list = {}
  for k, l in ipairs(chain.linkages) do
    local place, joints, motors, ties = {}, {}, {}, {}
    for a, i in ipairs(l.dependent) do place[i] = a end
    for b, i in ipairs(l.independent) do joints[b] = chain.joint_of[i] end
    for m, i in ipairs(l.motors or {}) do
      local effort = place[i] and chain.bodies[i].link.joint.effort or 0 -- that of a joint is among the joints'
      motors[m] = {place = place[i] or 0, joint = place[i] and 0 or chain.joint_of[i],
        effort = effort > 0 and effort or math.huge}
    end
    for n, t in ipairs(l.ties) do
      ties[n] = {frame = t.frame.link, to = t.to.link, rows = t.rows, length = t.length or 0,
        here = frame_of(t.frame), there = frame_of(t.to)}
    end
    list[k] = {
      name = l.name, dependent = l.dependent, independent = l.independent, joints = joints, motors = motors,
      ties = ties, steps = l.steps, tolerance = Linkages.tolerance(l, single), blocks = l.blocks or {},
      motor_blocks = l.motor_blocks or {},
    }
  end
  return list
end

-- Points, and spheres of a radius about them, that touch planes.
local function contacts_of(layout)
  local list = {}
  for k, c in ipairs(layout.contacts) do
    list[k] = {name = c.name, frame = frame_of(c.frame), at = c.at, radius = c.radius}
  end
  return list
end

-- The columns of a regressor: of a body's inertia about its origin, or of a joint, by word.
local function columns_of(parameters)
  local list = {}
  for k, p in ipairs(parameters or {}) do
    local c = p.candidate
    list[k] = {body = c.body or -1, inertia = c.inertia, joint = c.joint or 0, motor = c.motor or 0,
      word = c.word or ""}
  end
  return list
end

-- The robot in the frames of a variant of a function, and what the layout asks for.
function Problem.of(context, variant)
  local chain, equations = context.chains[variant.leaf], variant.rows_first or variant.equations
  local layout, groups, joint_groups, wrenches, frames = context.layout, {}, {}, {}, {}
  for k, g in ipairs(layout.groups) do groups[k] = group_of(g) end
  for k, g in ipairs(layout.joint_groups) do joint_groups[k] = joint_group_of(chain, g) end
  for k, w in ipairs(layout.wrenches) do
    wrenches[k] = {name = w.name, physical = w.kind == "physical", frame = frame_of(w.frame)}
  end
  for k, f in ipairs(chain.frames) do
    frames[k] = frame_of(f)
    frames[k].id = context.model.links[f.link].id
  end
  local inertia_inputs, payloads, passive, effort, driven = {}, {}, {}, {}, {}
  local _, rubs = Friction.joints(layout)
  for k, l in ipairs(layout.inertia_inputs) do
    inertia_inputs[k] = {name = "inertia." .. l.id, frame = frame_of(l.frame)}
  end
  for _, p in ipairs(layout.payloads) do
    if p.at_run_time then
      payloads[#payloads + 1] =
        {name = p.name, frame = frame_of(p.frame), mass = plain(p.mass), com = plain(p.com), inertia = plain(p.inertia)}
    end
  end
  for j = 1, chain.nj do
    passive[j] = truth(layout.passive[j])
    effort[j] = layout.within[j] or math.huge
    driven[j] = not passive[j] or rubs[j] ~= nil -- its torque is an unknown of an optimum
  end
  return {
    nb = chain.nb, nj = chain.nj, bodies = bodies_of(chain, plain(layout.armature)),
    base = chain.bodies[0].whole_inertia,
    frames = frames, groups = groups, joint_groups = joint_groups, wrenches = wrenches, gravity = plain(layout.gravity),
    inertia_inputs = inertia_inputs, payloads = payloads, passive = passive, effort = effort, driven = driven,
    torque_weight = layout.least_torque, motors = motors_of(chain, layout),
    step = {time_step = plain(layout.step.time_step), simple = Problem.simple_step(layout),
      held = #Closures.groups(layout) > 0},
    contacts = contacts_of(layout),
    linkages = linkages_of(chain, context.single),
    saturate = truth(layout.saturate), scales = layout.saturate == "scale", by_motors = layout.realise == "motors",
    singularity = layout.singularity or "damp",
    threshold = layout.singular_threshold or 0, spatial_acc = layout.frame_outputs.acceleration == "spatial",
    equations = equations and not equations.early and equations_of(equations.plan, context.chains.link.reach) or nil,
    rows_first = truth(variant.rows_first),
    sets = equations and equations.early and sets_of(chain, equations.sets) or {},
    spatial_family = layout.family.acceleration == "spatial", no_bound = ag.no_bound(context.single),
    reach = context.chains.link.reach, parameters = columns_of(context.base_parameters),
  }
end

return Problem
