-- SPDX-License-Identifier: MIT
-- optimum.lua: what a layout says where motors and contacts realise the rows within their limits, realise = "optimum":
-- contacts whose normal force is not known before, priorities, wanted forces.

local levels = require "levels"

local Optimum = {}

local most_priority = ag.optimum_levels - levels.limits

local function whole(self, value, path, what, least, most)
  self:expect(value, "number", path, what)
  if value ~= math.floor(value) or value < least or value > most then
    self:fail(path, what .. " is " .. string.format("%g", value), "write a whole number, " .. least .. " to " .. most)
  end
  return math.tointeger(value)
end

local function three(self, value, path)
  self:list(value, path, "three numbers: { 0.1, 0, 0 }")
  if #value ~= 3 then
    self:fail(path, '"' .. self.spelled(path) .. '" has ' .. #value .. " numbers", "write three: { 0.1, 0, 0 }")
  end
  local p = {}
  for k = 1, 3 do p[k] = self:expect(value[k], "number", self.join(path, k)) end
  return p
end

-- By how much the points lie beside one line, relative to how far they are from each other.
local function spread(points)
  local function less(a, b) return {a[1] - b[1], a[2] - b[2], a[3] - b[3]} end
  local function length(a) return math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2) end
  local widest, longest = 0, 0
  for i = 2, #points do
    local a = less(points[i], points[1])
    longest = math.max(longest, length(a))
    for k = 2, i - 1 do
      local b = less(points[k], points[1])
      widest = math.max(widest,
        length {a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]})
    end
  end
  return longest > 0 and widest / (longest * longest) or 0
end

local function read_points(self, c, group, where)
  local at, named = self.join(where, "points"), 'group "' .. group.name .. '"'
  if group.axes ~= "link" then
    self:fail(at, "the contact of " .. named .. " has points, whose rows must be along the axes of its frame",
      'write axes = "link"')
  end
  if #group.rows ~= 6 then
    self:fail(at, "the contact of " .. named .. " has points, and " .. #group.rows .. " rows",
      "leave rows out: a body that rests on points has six")
  end
  local points = {}
  for k, p in ipairs(self:list(c.points, at, "points: { { 0.1, 0.05, 0 }, { 0.1, -0.05, 0 }, { -0.1, 0, 0 } }", 32)) do
    points[k] = three(self, p, self.join(at, k))
  end
  if spread(points) < 1e-3 then
    self:fail(at, "the points of " .. named .. " lie on a line, about which their forces have no moment",
      "name three at least that do not, or leave points out for a contact at the frame's origin")
  end
  return points
end

-- contact = { normal = "lin_z", friction = 0.6, sides = 4, points = { ... } }: a surface that pushes along the row
-- `normal`, with any force, and holds along the surface within the cone of friction.
local function read_contact(self, g, group, path)
  local where, c, named = self.join(path, "contact"), g.contact, 'group "' .. group.name .. '"'
  self:expect(c, "table", where, 'a table: { normal = "lin_z", friction = 0.6 }')
  if c.threshold ~= nil then
    self:fail(self.join(where, "threshold"), 'a contact in an optimum sticks at every speed',
      "leave threshold out, and mask the rows of a contact that slides")
  end
  self:known(c, {"normal", "friction", "sides", "points"}, where)
  if g.to ~= nil then
    self:fail(where, 'tie "' .. group.name .. '" has a contact', "give the contact to a group on one frame")
  end
  if group.kind ~= "physical" then
    self:fail(self.join(path, "kind"), "the contact of " .. named .. " is artificial",
      'leave kind out: the environment exerts its force')
  end
  if group.free then
    self:fail(where, named .. " has free directions, of which none is the normal",
      'name its rows: rows = { "lin_x", "lin_y", "lin_z" }')
  end
  if c.normal == nil then
    self:fail(where, "the contact of " .. named .. " has no normal",
      'name the row along which the surface pushes: normal = "lin_z"')
  end
  local points = c.points ~= nil and read_points(self, c, group, where)
  self:expect(c.normal, "string", self.join(where, "normal"), "one of the group's rows")
  local normal, tangents = nil, {}
  for k, row in ipairs(group.rows) do
    if row == c.normal then
      normal = k
    elseif row:match("^lin") then
      tangents[#tangents + 1] = k
    elseif not points then
      self:fail(where, 'row "' .. row .. '" of ' .. named .. " turns, which a contact at a point does not hinder",
        "give the contact to linear rows only, or points to the contact")
    end
  end
  if not normal or not c.normal:match("^lin") then
    self:fail(self.join(where, "normal"), 'the normal "' .. c.normal .. '" is no linear row of ' .. named,
      self.suggestion(c.normal, group.rows))
  end
  if #tangents > 0 and c.friction == nil then
    self:fail(where, "the contact of " .. named .. " has rows along the surface and no friction",
      'give friction = 0.6 (or "input"), or leave the normal alone: rows = { "' .. c.normal .. '" }')
  end
  if #tangents == 0 and c.friction ~= nil then
    self:fail(self.join(where, "friction"), named .. " has no row along the surface",
      'add rows: rows = { "lin_x", "lin_y", "lin_z" }')
  end
  if c.friction ~= nil and c.friction ~= "input" then
    if self:expect(c.friction, "number", self.join(where, "friction"), "the coefficient of friction") < 0 then
      self:fail(self.join(where, "friction"), "the coefficient of friction is negative",
        "give a number of zero or more")
    end
  end
  local sides = c.sides == nil and 4 or
    whole(self, c.sides, self.join(where, "sides"), "the number of sides of a cone", 3, 16)
  return {normal = normal, tangents = tangents, mu = c.friction, sides = sides, points = points}
end

local own_words = {"priority", "wanted", "weight", "upper"}

-- How the layout asks for an optimum: realise = "motors" beside dry friction, limits or contacts is one without limits
-- of motors.
local function spelled(L)
  return 'realise = "' .. L.asked .. '"' .. (L.asked == "motors" and " beside friction, limits or contacts" or "")
end
Optimum.spelled = spelled

-- The words of a group; group.contact, group.priority, group.wanted, group.weight.
function Optimum.read_group(self, g, group, path, L)
  local named = 'group "' .. group.name .. '"'
  for _, word in ipairs {"bounds", "friction", "threshold"} do
    if g[word] ~= nil then
      self:fail(self.join(path, word), named .. " has " .. word .. ", which " .. spelled(L) .. " does not know",
        'say what pushes by contact = { normal = "lin_z", friction = 0.6 }, or leave ' .. word .. " out")
    end
  end
  if g.compliance ~= nil then
    self:fail(self.join(path, "compliance"), named .. " is soft, which " .. spelled(L) .. " does not know",
      "leave compliance out: rows that are not to be met at all cost have a lower priority")
  end
  if g.contact ~= nil then group.contact = read_contact(self, g, group, path) end
  if group.kind == "artificial" then
    group.priority = g.priority == nil and 1 or
      whole(self, g.priority, self.join(path, "priority"), "the priority of " .. named, 1, most_priority)
  elseif g.priority ~= nil then
    self:fail(self.join(path, "priority"), named .. " is physical: contacts hold, or the status says that they cannot",
      "leave priority out")
  end
  for _, word in ipairs {"wanted", "weight"} do
    if g[word] ~= nil and group.kind == "artificial" then
      self:fail(self.join(path, word), named .. " is artificial: " .. word .. " is of forces of the environment",
        "leave it out")
    end
  end
  if g.upper ~= nil then
    if group.kind ~= "artificial" then
      self:fail(self.join(path, "upper"), named .. " is physical, and only artificial rows have a range",
        "leave it out")
    end
    self:one_of(g.upper, {"input"}, self.join(path, "upper"))
    group.upper = "input"
  end
  if g.wanted ~= nil then
    self:one_of(g.wanted, {"input"}, self.join(path, "wanted"))
    group.wanted = "input"
  end
  if g.weight ~= nil then
    group.weight = self:expect(g.weight, "number", self.join(path, "weight"), "a weight [1/kg]")
    if group.weight <= 0 then
      self:fail(self.join(path, "weight"), "the weight of " .. named .. " is not positive",
        "give a number above zero [1/kg]")
    end
  end
end

-- Words of this file without realise = "optimum".
function Optimum.refuse_group(self, g, path)
  for _, word in ipairs(own_words) do
    if g[word] ~= nil then
      self:fail(self.join(path, word), '"' .. word .. '" is a word of realise = "optimum"',
        'write realise = "optimum", or leave it out')
    end
  end
  for _, word in ipairs {"sides", "points"} do
    if type(g.contact) == "table" and g.contact[word] ~= nil then
      self:fail(self.join(path, "contact", word), '"' .. word .. '" is a word of realise = "optimum"',
        'write realise = "optimum", or leave it out')
    end
  end
end

-- What does not go with realise = "optimum"; and the numbers of unknowns, rows and levels.
function Optimum.check(self, chain, L)
  local raw = self.raw
  if raw.saturate ~= nil then
    self:fail({"saturate"}, '"saturate" cannot be used with ' .. spelled(L), L.asked == "optimum" and
      "leave it out: the torques are within the effort limits" or
      'leave it out, and write realise = "optimum", whose torques are within the effort limits')
  end
  for i, w in ipairs(L.wrenches) do
    if w.kind == "artificial" then
      self:fail({"wrenches", i, "kind"}, 'artificial wrench "' .. w.name .. '" cannot be used with ' .. spelled(L),
        'give a contact a wanted force: wanted = "input"')
    end
  end
  for _, g in ipairs(L.joint_groups) do
    if g.margin and g.kind ~= "artificial" then
      self:fail({"limits", "kind"}, 'limits of kind "physical" cannot be used with realise = "optimum"',
        "leave kind out: the motors keep the joints within their limits")
    end
    if g.margin and g.b == "input" then
      self:fail({"limits", "b"}, 'limits whose b is an input cannot be used with realise = "optimum"',
        "leave b out: the joints come to rest at their limits")
    end
  end
  local ranges = false
  for _, g in ipairs(L.groups) do ranges = ranges or g.upper ~= nil end
  if ranges then self:keep_name(L, "upper", "rows with upper") end
  local bodies = {}
  for i, g in ipairs(L.groups) do
    local body = g.contact and g.frame.body
    if body and bodies[body] then
      self:fail({"groups", i}, 'contacts "' .. bodies[body] .. '" and "' .. g.name ..
        '" are of one rigid body, whose forces at several points its motion does not tell apart',
        "make them one group with contact = { points = { ... } }")
    end
    if body then bodies[body] = g.name end
  end
  if chain.nj == 0 then
    self:fail({"realise"}, spelled(L) .. " needs motors, and no joint moves here", 'write realise = "anything"')
  end
end

return Optimum
