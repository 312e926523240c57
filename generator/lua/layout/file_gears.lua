-- SPDX-License-Identifier: MIT
-- file_gears.lua: the motors of the robot's file as transmissions of a layout, transmissions = "file": a URDF's
-- <transmission>s, ros_control's Simple-, Differential- and FourBarLinkageTransmission, by how they make positions of
-- actuators from those of joints; MJCF's <actuator>s, by their gears and those of the fixed tendons that they pull at.

local FileGears = {}

local function reduction(e, what)
  if not e.reduction then return 1 end
  local x = tonumber(e.reduction)
  if not x or x ~= x or x == 0 or math.abs(x) == math.huge then
    ag.fail_model(e.line, 'the reduction of ' .. what .. ' is "' .. e.reduction .. '"', "give a number that is not 0")
  end
  return x + 0.0
end

-- The ends in the order of their roles, joint1 before joint2, else of the file: names and reductions.
local function ends_of(list, kind)
  local ends, names, ratios = table.move(list, 1, #list, 1, {}), {}, {}
  local roles = #list == 2 and list[1].role and list[2].role
  if roles and list[1].role == kind .. "2" and list[2].role == kind .. "1" then ends = {list[2], list[1]} end
  for k, e in ipairs(ends) do
    if not e.name then ag.fail_model(e.line, "the <" .. kind .. "> of a <transmission> has no name", "name it") end
    names[k], ratios[k] = e.name, reduction(e, kind .. ' "' .. e.name .. '"')
  end
  return names, ratios
end

-- What each type makes of the reductions n of actuators and m of joints: G.
local types = {
  SimpleTransmission = {1, function(n, m) return {{n[1] * m[1]}} end},
  DifferentialTransmission = {2, function(n, m) return {{n[1] * m[1], n[1] * m[2]}, {n[2] * m[1], -n[2] * m[2]}} end},
  FourBarLinkageTransmission = {2, function(n, m) return {{n[1] * m[1], 0}, {n[2], n[2] * m[2]}} end},
}

-- A transmission as the layout has it, {motors, joints, matrix, line}.
local function transmission_of(g)
  local named = "transmission" .. (g.name and ' "' .. g.name .. '"' or "")
  local known = types[(g.type or ""):match("[%w_]*$")]
  if not known then
    ag.fail_model(g.line,
      named .. (g.type and ' has the type "' .. g.type .. '", which is not known' or " has no type"),
      "write transmissions = { { motors = { .. }, joints = { .. }, matrix = { .. } } } into the layout")
  end
  local joints, m = ends_of(g.joints, "joint")
  local motors, n = ends_of(g.actuators, "actuator")
  if #joints ~= known[1] or #motors ~= known[1] then
    ag.fail_model(g.line, named .. " has " .. #motors .. " actuators and " .. #joints .. " joints, and its type has " ..
      known[1] .. " of each", "name as many")
  end
  return {motors = motors, joints = joints, matrix = known[2](n, m), line = g.line}
end

-- MJCF's motors, those that share a joint in one transmission: a row of ratios for each.
local function of_actuators(motors)
  local of, list = {}, {} -- of: by joint, the transmission
  for _, motor in ipairs(motors) do
    if motor.fault then
      ag.fail_model(motor.line, motor.what .. " " .. motor.fault .. ": it turns with no joints by constant ratios",
        "take it out, or write transmissions = { { motor = .., joint = .., ratio = .. } } into the layout")
    end
    local t = {motors = {motor}, joints = {}, line = motor.line}
    list[#list + 1] = t
    local function take(joint)
      if not of[joint] then
        t.joints[#t.joints + 1] = joint
        of[joint] = t
      elseif of[joint] ~= t then -- into the one that came first
        local other = of[joint]
        if other.line > t.line then other, t = t, other end
        table.move(t.motors, 1, #t.motors, #other.motors + 1, other.motors)
        for _, name in ipairs(t.joints) do
          other.joints[#other.joints + 1], of[name] = name, other
        end
        t.gone, t = true, other
      end
    end
    for _, joint in ipairs(motor.joints) do take(joint) end
  end
  return list
end

local function with_matrix(t)
  local r, column = {motors = {}, effort = {}, joints = t.joints, matrix = {}, line = t.line}, {}
  for k, joint in ipairs(t.joints) do column[joint] = k end
  for m, motor in ipairs(t.motors) do
    r.motors[m], r.effort[m], r.matrix[m] = motor.name, motor.effort, {}
    for k = 1, #t.joints do r.matrix[m][k] = 0 end
    for k, joint in ipairs(motor.joints) do r.matrix[m][column[joint]] = motor.ratios[k] end
    local any = false
    for _, x in ipairs(r.matrix[m]) do any = any or x ~= 0 end
    if not any then
      ag.fail_model(motor.line, motor.what .. " turns with no joint: its gear is 0", "give it a gear, or take it out")
    end
  end
  return r
end

-- All of them, {motors, joints, matrix, line, effort = {[motor] = limit}}.
function FileGears.of(model)
  local list = {}
  for k, g in ipairs(model.gears) do list[k] = transmission_of(g) end
  for _, t in ipairs(of_actuators(model.motors)) do
    if not t.gone then list[#list + 1] = with_matrix(t) end
  end
  return list
end

return FileGears
