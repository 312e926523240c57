-- SPDX-License-Identifier: MIT
-- payload.lua: what a layout says of rigid loads that the robot carries: payload = { frame, mass, com, inertia }, or a
-- list of such, each with a name. Mass, com and inertia are constants, or "input": given at run time.

local Payload = {}

local names = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"} -- as in a URDF, or without the i
local known = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "xx", "xy", "xz", "yy", "yz", "zz"}

local function numbers(self, value, path, count, what)
  self:list(value, path, what)
  if #value ~= count then
    self:fail(path, '"' .. self.spelled(path) .. '" has ' .. #value .. " numbers", "write " .. what)
  end
  local list = {}
  for k = 1, count do list[k] = self:expect(value[k], "number", self.join(path, k)) end
  return list
end

-- {xx, xy, xz, yy, yz, zz} [kg m^2], from six numbers, three (the diagonal), or by name; about the centre of mass,
-- along the axes of the frame.
local function read_inertia(self, value, path)
  local what = 'six numbers { xx, xy, xz, yy, yz, zz }, names such as { ixx = 0.01, iyy = 0.01, izz = 0.01 }, or ' ..
    '"input"'
  if value == nil then return {0, 0, 0, 0, 0, 0} end
  self:expect(value, "table", path, what)
  local I = {0, 0, 0, 0, 0, 0}
  if #value == 3 then
    local diagonal = numbers(self, value, path, 3, what)
    I[1], I[4], I[6] = diagonal[1], diagonal[2], diagonal[3]
  elseif #value > 0 then
    I = numbers(self, value, path, 6, what)
  else
    self:known(value, known, path)
    for k, name in ipairs(names) do
      if value[name] == nil then name = name:sub(2) end
      if value[name] ~= nil then I[k] = self:expect(value[name], "number", self.join(path, name)) end
    end
  end
  -- a body's inertia has no negative principal moment: no principal minor is negative, but for rounding
  local size = math.abs(I[1]) + math.abs(I[4]) + math.abs(I[6])
  local function minor(a, b, c) return I[a] * I[b] - I[c] * I[c] end
  local det = I[1] * minor(4, 6, 5) - I[2] * (I[2] * I[6] - I[5] * I[3]) + I[3] * (I[2] * I[5] - I[4] * I[3])
  if math.min(I[1], I[4], I[6]) < 0 or math.min(minor(1, 4, 2), minor(1, 6, 3), minor(4, 6, 5)) < -1e-9 * size * size or
    det < -1e-9 * size * size * size then
    self:fail(path, "the inertia has a negative principal moment, as no body has",
      "write it about the centre of mass, along the frame's axes [kg m^2]")
  end
  return I
end

local function read_one(self, p, path)
  self:expect(p, "table", path, "a load: { frame = ..., mass = ..., com = ..., inertia = ... }")
  self:known(p, {"name", "frame", "mass", "com", "inertia"}, path)
  local load = {name = p.name == nil and "payload" or self:identifier(p.name, self.join(path, "name")), path = path}
  local named = 'payload "' .. load.name .. '"'
  if self.taken[load.name] then
    self:fail(self.join(path, "name"), 'a payload cannot be named "' .. load.name .. '": another field is',
      "choose another name")
  end
  if p.frame == nil then self:fail(path, named .. " has no frame", "name the link it is fixed to: frame = ...") end
  load.link, load.frame_name = self:link(p.frame, self.join(path, "frame")), p.frame
  if p.mass == nil then self:fail(path, named .. " has no mass", 'give it in kg, or at run time: mass = "input"') end
  load.mass = p.mass
  if p.mass ~= "input" then
    self:expect(p.mass, "number", self.join(path, "mass"), 'a mass in kg, or "input"')
    load.mass = p.mass + 0.0
    if p.mass <= 0 then
      self:fail(self.join(path, "mass"), "the mass of " .. named .. " is not positive", "give it in kg")
    end
  end
  load.com = p.com == "input" and "input" or p.com == nil and {0, 0, 0}
    or numbers(self, p.com, self.join(path, "com"), 3, 'three numbers { x, y, z }, or "input"')
  load.inertia = p.inertia == "input" and "input" or read_inertia(self, p.inertia, self.join(path, "inertia"))
  load.at_run_time = load.mass == "input" or load.com == "input" or load.inertia == "input"
  return load
end

-- {name, link, frame_name, mass, com, inertia, at_run_time, path} of every load.
function Payload.read(self, raw)
  if raw == nil then return {} end
  self:expect(raw, "table", {"payload"}, "a load: { frame = ..., mass = ..., com = ..., inertia = ... }")
  if #raw == 0 then return {read_one(self, raw, {"payload"})} end
  local list, seen = {}, {}
  for k, p in ipairs(self:list(raw, {"payload"}, "loads", 100)) do
    list[k] = read_one(self, p, {"payload", k})
    if seen[list[k].name] then
      self:fail({"payload", k}, 'two payloads are named "' .. list[k].name .. '"',
        'give each its own name: name = "box"')
    end
    seen[list[k].name] = true
  end
  return list
end

return Payload
