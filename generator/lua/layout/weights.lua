-- SPDX-License-Identifier: MIT
-- weights.lua: the word of a group for what drivers may do along its rows: how much of the acceleration that each
-- driver causes alone, J M^-1 f, a row makes up for (Shakhimardanov 2015, eq. 3.42).

local Reader = require "reader"

local join = Reader.join

local Weights = {}

-- The drivers of a layout by name: wrenches, torques that are given, viscous friction. Gravity and velocities are none.
local function drivers_of(L)
  local names = {}
  for k, w in ipairs(L.wrenches) do names[k] = w.name end
  if L.torques.physical then names[#names + 1] = "tau_phys" end
  if L.torques.artificial then names[#names + 1] = "tau_art" end
  local rubs = L.gears ~= nil and L.gears:damps()
  for _, g in ipairs(L.joint_groups) do rubs = rubs or g.viscous ~= nil end
  if rubs then names[#names + 1] = "viscous" end
  return names
end

local function weight(self, value, at)
  self:expect(value, "number", at, "a number from 0 to 1")
  if value < 0 or value > 1 then
    self:fail(at, "the weight " .. string.format("%g", value) .. " is not from 0 to 1",
      "write 1 where the row makes up for the driver, 0 where the driver passes")
  end
  return value
end

-- One driver's weights by row, given for all rows or for some by name; 1 where none is.
local function of_driver(self, given, group, at)
  local named, list = type(given) == "table", {}
  local names = group.called or group.rows -- joints by the URDF's names
  if named then self:known(given, names, at) end
  for k, row in ipairs(names) do
    local value, where = given, at
    if named then value, where = given[row], join(at, row) end
    list[k] = value == nil and 1.0 or weight(self, value, where)
  end
  return list
end

-- Of one group: "input", by driver a list of the rows' weights, or nil: all of them are 1.
local function of_group(self, given, group, drivers, at)
  if given == "input" then return given end
  if type(given) ~= "table" and type(given) ~= "number" then
    self:expect(given, "table", at, 'a number, drivers and numbers, as { push = 0.5 }, or "input"')
  end
  local named, all, whole = type(given) == "table", {}, true
  if named then self:known(given, drivers, at) end
  for _, driver in ipairs(drivers) do
    local value, where = given, at
    if named then value, where = given[driver], join(at, driver) end
    all[driver] = of_driver(self, value == nil and 1.0 or value, group, where)
    for _, w in ipairs(all[driver]) do whole = whole and w == 1 end
  end
  return not whole and all or nil
end

-- Rows whose forces are found by an optimum, by motors alone or between bounds: what a driver causes depends on them.
local function refuse_others(self, L, at)
  if L.realise ~= "anything" then
    self:fail(at, 'weights cannot be used with realise = "' .. L.realise .. '": what a driver causes there depends ' ..
      "on the torques that are found", 'leave weights out, or write realise = "anything"')
  end
  if not L.bounded then return end
  local physical
  for _, g in ipairs(L.groups) do
    if g.kind == "physical" then physical = 'physical group "' .. g.name .. '"' end
  end
  for _, g in ipairs(L.joint_groups) do
    if #g.rows > 0 then physical = g.motors and "friction of motors" or g.name .. " of joints" end
  end
  if physical then
    self:fail(at, "weights cannot be used with bounded rows beside " .. physical .. ": what a driver causes depends " ..
      "on forces that are known only with the solution", "leave weights out, or bound artificial rows alone")
  end
end

-- Fills in the drivers, and the groups' weights, which need all other words of the layout.
function Weights.read(self, L)
  L.drivers = drivers_of(L)
  for i, g in ipairs(L.groups) do
    local said, at = self.raw.groups and self.raw.groups[i], {"groups", i, "weights"} -- nil: a tie of the robot's file
    local given = said and said.weights
    if given ~= nil then
      local named = 'group "' .. g.name .. '"'
      if g.kind == "physical" then
        self:fail(at, "physical " .. named .. " has weights: what the environment holds makes up for all that acts",
          "leave weights out, or write kind = \"artificial\"")
      end
      if said.over ~= nil then
        self:fail(at, named .. " has over and weights", "write weights alone: with a weight of 0 the row yields")
      end
      if #L.drivers == 0 then
        self:fail(at, named .. " has weights, and the layout has nothing that they are of",
          "add wrenches or torques, or leave weights out")
      end
      refuse_others(self, L, at)
      g.weights = of_group(self, given, g, L.drivers, at)
      if g.weights == "input" then self:keep_name(L, "weight", 'weights = "input"') end
    end
  end
end

return Weights
