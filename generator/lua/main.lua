-- main.lua: from a robot and a layout to the programs of a header. Called by script.c.

local Frames = require "frames"
local Layout = require "layout"
local functions = {achd = require "achd"}
for name, F in pairs(require "family") do functions[name] = F end

local Main = {}

local context -- of the header being made

-- The bodies in the generator's frames, with their links. leaf: frames.lua.
local function make_chain(model, reduced, leaf)
  local chain = Frames.build(reduced, leaf)
  for i, b in ipairs(chain.bodies) do
    b.link_index = reduced.bodies[i].link_index
    b.link = model.links[b.link_index]
    b.whole_inertia = b.inertia
  end
  -- the whole mass, and how far the robot reaches at most (sliding joints by their limits)
  chain.mass, chain.reach = 0, 0
  local function length(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end
  for _, b in ipairs(chain.bodies) do
    chain.mass, chain.reach = chain.mass + b.inertia.m, chain.reach + length(b.p)
    if b.prismatic then
      chain.reach = chain.reach + math.max(math.abs(b.link.joint.lower or 1), math.abs(b.link.joint.upper or 1))
    end
  end
  local farthest = 0
  for _, f in ipairs(chain.frames) do farthest = math.max(farthest, length(f.p)) end
  chain.reach = chain.reach + farthest
  return chain
end

-- model: links as script.c pushes them; raw, text: the layout's table and text; options: {single,
-- formulation, functions, name}. Declares everything that stands before a function: joints, rows.
function Main.open(model, raw, text, options)
  local selection = Layout.select(model, raw, text)
  local reduced = ag.reduce(selection)
  for _, b in ipairs(reduced.bodies) do
    local joint = model.links[b.link].joint
    b.prismatic = joint.type == "prismatic"
    if joint.mimic then
      ag.fail_model(joint.line, 'joint "' .. joint.name .. '" mimics another, which this version cannot do',
        'lock it in the layout, locked = { ' .. joint.name .. " = 0 }, or take the mimic element out")
    end
    b.link_index, b.link = b.link, nil
  end
  for _, f in ipairs(reduced.frames) do
    if f.link == selection.root then f.body = 0 end
  end
  local chain = make_chain(model, reduced, "link")
  local layout = Layout.resolve(selection, chain)
  local keep = {}
  for _, l in ipairs(layout.inertia_inputs) do keep[l.frame.body] = true end
  local moved = {}
  local chains = {link = chain}
  if #layout.wrenches == 0 and #layout.inertia_inputs == 0 then chains.mass = make_chain(model, reduced, "mass") end
  for _, leaf in ipairs {"mass", "link"} do
    if chains[leaf] and options.regroup then moved = Frames.regroup(chains[leaf], keep) end
  end

  if layout.default_threshold then
    local defaults = {damp = {1e-6, 1e-3}, drop = {1e-6, 1e-3}, truncate = {1e-10, 1e-5}}
    layout.singular_threshold = defaults[layout.singularity][options.single and 2 or 1]
  end

  local joints, rows = {}, {}
  for i, b in ipairs(chain.bodies) do
    joints[i] = {id = b.link.joint.id, name = b.link.joint.name, prismatic = b.prismatic}
  end
  for _, g in ipairs(layout.groups) do
    for _, name in ipairs(g.rows) do
      rows[#rows + 1] = {group = g.name, name = name, maskable = g.maskable,
                         kind = g.free and "free" or name:match("^lin") and "linear" or "angular"}
    end
  end
  ag.header(options.name or selection.name or model.id, joints, rows)

  local root = model.links[selection.root]
  ag.remark("robot", model.name .. ", " .. chain.n .. (chain.n == 1 and " joint" or " joints") .. ", base fixed; {" .. root.name .. "} is the base frame")
  for _, g in ipairs(layout.groups) do
    local along = g.free and "free directions" or "along the axes of " .. ({base = "{" .. root.name .. "}", link = "{" .. g.frame_name .. "}", input = "in->axes." .. g.name})[g.axes]
    ag.remark("rows", g.name .. ": " .. #g.rows .. " at the origin of {" .. g.frame_name .. "}, " .. along .. ", " .. g.kind ..
      ", " .. g.acceleration .. (g.maskable and ", maskable" or ""))
  end
  if #layout.groups > 0 then
    ag.remark("rank", layout.singularity .. ", threshold " .. string.format("%g", layout.singular_threshold))
  end
  local names = {}
  for k, i in ipairs(moved) do names[k] = chain.bodies[i].link.name end
  if #names > 0 then ag.remark("regrouped", table.concat(names, " ", 1, #names)) end
  context = {
    layout = layout, chains = chains, single = options.single, base_name = root.name,
    formulation = options.formulation, model = model,
  }
end

-- Does a function name no frame of the robot, so that the leaves' frames may turn?
local function frameless(F)
  if F.frameless ~= nil then return F.frameless end
  local o = context.layout.frame_outputs
  return #context.layout.groups == 0 and #o.acc + #o.twist + #o.pose == 0
end

-- The variants of a program worth counting: formulation, way to the Jacobian, axes; leaf: which way the
-- frames of the leaves look.
local function ways(F)
  if F.variants then return F.variants() end
  local list = {}
  local forced = context.formulation
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

local function variants(F)
  local list = {}
  for _, v in ipairs(ways(F)) do
    v.leaf = "link"
    list[#list + 1] = v
    if context.chains.mass and frameless(F) then
      list[#list + 1] = {formulation = v.formulation, way = v.way, axes = v.axes, leaf = "mass"}
    end
  end
  return list
end

-- Makes function `name` in every variant and keeps the one with the fewest operations.
function Main.build(name)
  local F = functions[name]
  local best, least
  local counted = {}
  for _, v in ipairs(variants(F)) do
    ag.program(name, F.doc, v.formulation)
    F.program(context, v)
    local flops = ag.flops()
    counted[v.formulation] = math.min(counted[v.formulation] or math.huge, flops)
    if not least or flops < least then
      best, least = v, flops
      ag.keep()
    end
  end
  ag.counted(F.variants and 0 or counted.recursion or 0, counted.joint or 0)
  context.chosen = context.chosen or {}
  context.chosen[name] = best
end

-- The chosen variant of a function on plain numbers: the same script, no DAG.
function Main.numbers(name) functions[name].program(context, context.chosen[name]) end

return Main
