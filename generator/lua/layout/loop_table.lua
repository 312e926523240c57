-- SPDX-License-Identifier: MIT
-- loop_table.lua: what --loop takes from robot and layout: the joints with their limits, and what of the layout is the
-- loop's (achd/loop_robot.h): the group that tasks lead, its frame, the wrenches that are measured and exerted, the
-- loads that come at run time. What the loop cannot have is refused by name, with its line.

local LoopTable = {}

local remedy_of_group = 'write groups = { { name = "tool", frame = .., axes = "input", maskable = true } }'

local function refuse_layout(context)
  local chain, L = context.chains.link, context.layout
  if chain.nb > 0 then
    local first = context.model.links[2]
    local moves = first and (first.joint.type == "planar" or first.joint.type == "floating")
    local what = "the base moves (" .. context.selection.base .. "), and the loop is of arms whose base stands still"
    local remedy = 'lead the arm as on base = "fixed"; robots on moving bases: docs/whole_body.md, docs/platform.md'
    if moves then ag.fail_model(first.joint.line, what, remedy) end
    L.fail_at({"base"}, what, remedy)
  end
  if L.armature == "input" then
    L.fail_at({"armature"}, '"armature" comes at run time, and the loop does not give it',
      "write the rotors' inertias, armature = { joint = 0.1 }, or leave it out")
  end
  if L.root_acceleration then
    L.fail_at({"root_acceleration"}, "what carries the base accelerates, and the loop does not know how",
      "leave it out")
  end
  if #L.inertia_inputs > 0 then
    L.fail_at({"inertia_inputs", 1}, '"inertia_inputs" come at run time, and the loop does not give them',
      'write payload = { frame = .., mass = "input", com = "input" } for a load that comes and goes')
  end
  if L.bounded or L.optimum then
    L.fail_at({L.optimum and "realise" or "groups"},
      "rows with bounds are solved by a program of your own, not by the loop",
      "leave bounds, friction, limits and realise out; the loop watches the joints' limits itself")
  end
  if not L.torques.artificial then
    L.fail_at({"torques"}, "no artificial torques: the loop holds by them what no row holds",
      "write torques = { artificial = true }")
  end
end

-- The one group of six maskable rows whose axes are an input.
local function tool_group(L)
  local found
  for i, g in ipairs(L.groups) do
    if g.joints or g.free or g.to or g.axes ~= "input" or #g.rows ~= 6 or not g.maskable or g.kind ~= "artificial" then
      L.fail_at({"groups", i}, 'group "' .. g.name .. '" is none that a task leads: six artificial rows, maskable, ' ..
        'with axes = "input"', remedy_of_group)
    end
    if found then
      L.fail_at({"groups", i}, 'group "' .. g.name .. '" is a second one, and a task leads one',
        "leave one of them out")
    end
    found = g
  end
  if not found then L.fail_at({"groups"}, "there is no group that a task could lead", remedy_of_group) end
  return found
end

local function wrench_of(L, kind, frame, name)
  local found
  for i, w in ipairs(L.wrenches) do
    if w.kind == kind then
      if w.frame.link ~= frame.link then
        L.fail_at({"wrenches", i, "frame"},
          'wrench "' .. w.name .. '" is not on "' .. name .. '", the frame of the group',
          'write frame = "' .. name .. '"')
      end
      if found then
        L.fail_at({"wrenches", i}, 'wrench "' .. w.name .. '" is a second ' .. kind .. " one, and the loop gives one",
          "leave one of them out")
      end
      found = w
    end
  end
  if not found then
    local what = kind == "physical" and "the measured one" or "the one that motors exert for a force"
    L.fail_at({"wrenches"}, "there is no " .. kind .. " wrench, " .. what, 'add { name = "' ..
      (kind == "physical" and "push" or "press") .. '", frame = "' .. name .. '", kind = "' .. kind .. '" }')
  end
  return found
end

local function check_outputs(L, frame, name)
  for _, word in ipairs {"pose", "twist"} do
    local there = false
    for _, f in ipairs(L.family[word]) do there = there or f.frame.link == frame.link end
    if not there then
      L.fail_at({"outputs"}, '"outputs" has no ' .. word .. ' of "' .. name .. '", which fk and fvk tell the loop',
        "add " .. word .. ' = { "' .. name .. '" }')
    end
  end
  for _, word in ipairs {"qdd", "tau_ctrl"} do
    local there = false
    for _, o in ipairs(L.outputs) do there = there or o == word end
    if not there then
      L.fail_at({"outputs"}, '"outputs" has no "' .. word .. '", which the loop needs', 'add "' .. word .. '"')
    end
  end
end

-- To ten digits: what is computed has rounding errors behind.
local function short(x) return tonumber(string.format("%.10g", x)) end

-- The limits of a joint, with those of the joints that follow it, and whose they are.
local function limits_of(chain, j)
  local lead = chain.bodies[chain.leader[j]].link.joint
  local l = {lower = lead.lower, upper = lead.upper, velocity = lead.velocity}
  for i = 1, chain.n do
    local own = chain.bodies[i].link.joint
    if chain.joint_of[i] == j and chain.leader[j] ~= i and own.multiplier ~= 0 then
      local k, c = own.multiplier, own.offset
      local low = own.lower and short((own.lower - c) / k)
      local high = own.upper and short((own.upper - c) / k)
      if k < 0 then low, high = high, low end
      if low and (not l.lower or low > l.lower) then l.lower, l.follows_lower = low, own.name end
      if high and (not l.upper or high < l.upper) then l.upper, l.follows_upper = high, own.name end
      local fastest = own.velocity and own.velocity / math.abs(k)
      if fastest and (not l.velocity or fastest < l.velocity) then
        l.velocity, l.follows_velocity = fastest, own.name
      end
    end
  end
  return lead, l
end

local function joint_of(context, j)
  local chain, L = context.chains.link, context.layout
  local lead, l = limits_of(chain, j)
  local slides = lead.type == "prismatic"
  local named = 'joint "' .. lead.name .. '"'
  if lead.ball then
    ag.fail_model(lead.line, named .. ' is one axis of the ball joint "' .. lead.ball_name ..
      '", which the loop cannot brake at a position', "write --functions achd,fk,.. and a loop of your own")
  end
  if L.passive[j] then
    ag.fail_model(lead.line, named .. " is passive: without a motor no stop can brake it", "lock it: locked = { " ..
      lead.name .. " = 0 }")
  end
  if L.at_motors and L.at_motors[j] then
    L.fail_at({"motors"},
      named .. " has the limits of motors that move several joints, and a stop brakes joint by joint",
      "give the joints limits, effort = { " .. lead.name .. " = 20 }, and leave those of the motors out")
  end
  if not L.effort[j] then
    ag.fail_model(lead.line, named .. " has no effort limit, by which a stop brakes it",
      "write it into the layout: effort = { " .. lead.name .. " = 50 } [" .. (slides and "N" or "N m") .. "]")
  end
  if not l.velocity then
    ag.fail_model(lead.line, named .. " has no velocity limit: the loop would let it run at any speed",
      "write it into the layout: joint_limits = { " .. lead.name .. " = { velocity = 1 } } [" ..
      (slides and "m/s" or "rad/s") .. "]")
  end
  if l.lower and l.upper and l.lower > l.upper then
    ag.fail_model(lead.line, named .. " cannot be anywhere: its limits and those of what follows it exclude each other",
      "correct the limits, or those in the layout's joint_limits")
  end
  l.name, l.line, l.slides, l.effort = lead.name, lead.line, slides, L.effort[j]
  l.by_layout = L.effort[j] ~= lead.effort
  return l
end

function LoopTable.of(context)
  local chain, L = context.chains.link, context.layout
  refuse_layout(context)
  local group = tool_group(L)
  local name = group.frame_name
  check_outputs(L, group.frame, name)
  local model_links = context.model.links
  local r = {
    group = group.name, frame = model_links[group.frame.link].id,
    push = wrench_of(L, "physical", group.frame, name).name, press = wrench_of(L, "artificial", group.frame, name).name,
    joints = {}, loads = {}, gravity_at_run_time = L.gravity == "input",
  }
  for j = 1, chain.nj do r.joints[j] = joint_of(context, j) end
  for _, p in ipairs(L.payloads) do
    if p.at_run_time then
      r.loads[#r.loads + 1] = {
        name = p.name, frame = p.frame_name,
        mass = p.mass == "input", com = p.com == "input", inertia = p.inertia == "input",
      }
    end
  end
  return r
end

return LoopTable
