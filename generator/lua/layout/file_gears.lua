-- SPDX-License-Identifier: MIT
-- file_gears.lua: the <transmission>s of a URDF as those of a layout, transmissions = "urdf": ros_control's Simple-,
-- Differential- and FourBarLinkageTransmission, by how they make positions of actuators from those of joints.

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

-- All of them.
function FileGears.of(model)
  local list = {}
  for k, g in ipairs(model.gears) do list[k] = transmission_of(g) end
  return list
end

return FileGears
