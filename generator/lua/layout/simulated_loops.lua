-- SPDX-License-Identifier: MIT
-- simulated_loops.lua: linkages as a simulator has them (mjcf/closures.c): positions at which they are closed, what
-- ties hold, which joints have motors.

local Linkages = require "linkages"
local Tie = require "ties"

local SimulatedLoops = {}

-- What a tie holds: {kind: "point", "hinge" about axis, "rigid"}; nil: something that MuJoCo has no element for.
local function held_by(l, chain, tie)
  local linear, angular, sum = 0, 0, {lin = 6, ang = 6}
  for _, row in ipairs(tie.rows) do
    local kind = row:sub(1, 3)
    linear, angular = linear + (kind == "lin" and 1 or 0), angular + (kind == "ang" and 1 or 0)
    sum[kind] = sum[kind] - Tie.axis_of[row]
  end
  if linear == 3 and angular == 0 then return {kind = "point", axis = 0} end
  if linear == 3 and angular == 3 then return {kind = "rigid", axis = 0} end
  if linear == 3 and angular == 2 then return {kind = "hinge", axis = sum.ang} end
  local third = linear == 2 and angular == 0 and "lin_" .. ("xyz"):sub(sum.lin, sum.lin)
  return third and Linkages.holds(l, chain, tie, third) and {kind = "point", axis = 0} or nil
end

local function tie_of(context, l, k, tie)
  local chain = context.chains.link
  local found = tie.length and {kind = "rod", axis = 0} or held_by(l, chain, tie)
  if not found then
    context.layout.fail_at({"linkages", k}, 'a tie of linkage "' .. l.name .. '" by the rows ' ..
      table.concat(tie.rows, ", ") .. " has no counterpart in MuJoCo",
      "write lin_x, lin_y and lin_z, of a planar loop those of its plane, with two angular rows for a hinge or " ..
      "three for a rigid tie; or leave --mjcf out")
  end
  return {frame = tie.frame.link, to = tie.to.link, kind = found.kind, axis = found.axis, length = tie.length or 0}
end

-- Adds to what a simulator is told (physics.lua): linkages {name, ties}; begin {link, value}: positions at which all
-- are closed; joints: those that depend on others, and which have motors.
function SimulatedLoops.add(context, physics, armature)
  local chain = context.chains.link
  local motors, linked = {}, {}
  physics.linkages, physics.begin = {}, {}
  local function begin(i, value)
    physics.begin[#physics.begin + 1] = {link = chain.bodies[i].link_index, value = value}
  end
  for k, l in ipairs(chain.linkages) do
    local ties, n = {}, 0
    if l.apart then
      context.layout.fail_at({"linkages", k}, 'linkage "' .. l.name ..
        '" is not closed where a simulator would begin, with its independent joints at 0',
        "give it a start from which it closes, or leave --mjcf out")
    end
    for t, tie in ipairs(l.ties) do ties[t] = tie_of(context, l, k, tie) end
    physics.linkages[k] = {name = l.name, ties = ties}
    for _, i in ipairs(l.motors or l.independent) do motors[i] = true end
    for _, i in ipairs(l.dependent) do
      local slides = chain.bodies[i].prismatic
      begin(i, slides and l.begin[n + 1] or math.atan(l.begin[n + 2], l.begin[n + 1]))
      n, linked[i] = n + (slides and 1 or 2), true
    end
    for _, i in ipairs(l.independent) do
      local joint = chain.bodies[i].link.joint
      if not linked[i] then begin(i, math.max(joint.lower or 0, math.min(joint.upper or 0, 0))) end
      linked[i] = true
    end
  end
  for i in ipairs(chain.bodies) do
    if linked[i] then
      local link = chain.bodies[i].link_index
      local own = chain.dependent[i] and {link = link, armature = armature[link],
        effort = chain.bodies[i].link.joint.effort} or physics.joints[chain.joint_of[i]]
      own.passive = own.passive or not motors[i]
      if chain.dependent[i] then physics.joints[#physics.joints + 1] = own end
    end
  end
end

return SimulatedLoops
