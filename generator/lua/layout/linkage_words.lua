-- SPDX-License-Identifier: MIT
-- linkage_words.lua: what a layout says of linkages, closed loops whose dependent joints are solved for: linkages = {
-- { name, independent = { joints }, ties = { { frame, to, rows } }, rods = { { frame, to, length } }, motors = { joints
-- } } }.

local Reader = require "reader"

local join, set = Reader.join, Reader.set

local LinkageWords = {}

local words = {"name", "independent", "ties", "rods", "motors", "steps", "tolerance", "start"}
local row_names = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}
local most_steps, usual_steps, most_linkages = 10, 3, 50

-- The two frames of a tie or a rod: {frame, to}, links.
local function read_ends(self, raw, path, known)
  self:expect(raw, "table", path, 'a table: { frame = "a link", to = "another" }')
  self:known(raw, known, path)
  local ends = {}
  for _, word in ipairs {"frame", "to"} do
    if raw[word] == nil then
      self:fail(path, '"' .. Reader.spelled(path) .. '" has no ' .. word, "name the link whose frame is meant")
    end
    ends[word] = self:link(raw[word], join(path, word))
    ends[word .. "_name"] = raw[word]
  end
  return ends
end

local function read_tie(self, raw, path)
  local tie, seen = read_ends(self, raw, path, {"frame", "to", "rows"}), {}
  tie.rows = {}
  if raw.rows == nil then
    self:fail(path, '"' .. Reader.spelled(path) .. '" has no rows', 'name some: rows = { "lin_x", "lin_y", "lin_z" }')
  end
  for k, row in ipairs(self:list(raw.rows, join(path, "rows"), "rows", 6)) do
    local at = join(path, "rows", k)
    self:expect(row, "string", at, 'a row: "lin_x" .. "ang_z"')
    if not set(row_names)[row] then self:fail(at, 'unknown row "' .. row .. '"', Reader.suggestion(row, row_names)) end
    if seen[row] then self:fail(at, 'row "' .. row .. '" is listed twice', "leave one out") end
    seen[row], tie.rows[k] = true, row
  end
  if #tie.rows == 0 then self:fail(join(path, "rows"), "the tie has no rows", "name some, or leave the tie out") end
  return tie
end

local function read_rod(self, raw, path)
  local rod = read_ends(self, raw, path, {"frame", "to", "length"})
  if raw.length == nil then
    self:fail(path, '"' .. Reader.spelled(path) .. '" has no length', "give the distance of its two ends [m]")
  end
  rod.length = self:positive(raw.length, join(path, "length"), "the length of a rod")
  rod.rows = {"length"}
  return rod
end

local function read_start(self, raw, path)
  local numbers = self:joint_numbers(raw, path)
  for _, k in ipairs(Reader.sorted_keys(numbers)) do
    if math.abs(numbers[k]) > ag.largest_angle() then
      local name = self.model.links[k].joint.name
      self:fail(join(path, name), 'joint "' .. name .. '" starts at ' .. numbers[k], "write its position in rad or m")
    end
  end
  return numbers
end

local function read_one(self, raw, path, names)
  self:expect(raw, "table", path, "a linkage: { name = ..., independent = { ... }, ties = { ... } }")
  self:known(raw, words, path)
  if raw.name == nil then self:fail(path, "a linkage has no name", "give it one: name = ...") end
  local l = {name = self:identifier(raw.name, join(path, "name")), path = path, ties = {}}
  if names[l.name] then
    self:fail(join(path, "name"), 'two linkages are named "' .. l.name .. '"', "give each its own name")
  end
  names[l.name] = true
  local function joint(name, at) return self:joint(name, at) end
  l.independent = self:each_once(raw.independent, join(path, "independent"), "joints", joint)
  if #l.independent == 0 then
    self:fail(path, 'linkage "' .. l.name .. '" has no independent joints',
      "name those whose positions are inputs: independent = { ... }")
  end
  for k, tie in ipairs(raw.ties and self:list(raw.ties, join(path, "ties"), "ties", 50) or {}) do
    l.ties[#l.ties + 1] = read_tie(self, tie, join(path, "ties", k))
  end
  for k, rod in ipairs(raw.rods and self:list(raw.rods, join(path, "rods"), "rods", 50) or {}) do
    l.ties[#l.ties + 1] = read_rod(self, rod, join(path, "rods", k))
  end
  if #l.ties == 0 then
    self:fail(path, 'linkage "' .. l.name .. '" has neither ties nor rods',
      'name what closes it: ties = { { frame = ..., to = ..., rows = { ... } } }')
  end
  l.motors = raw.motors and self:each_once(raw.motors, join(path, "motors"), "joints", joint)
  l.steps = raw.steps == nil and usual_steps or self:expect(raw.steps, "number", join(path, "steps"))
  if l.steps ~= math.floor(l.steps) or l.steps < 1 or l.steps > most_steps then
    self:fail(join(path, "steps"), "a linkage is closed by " .. raw.steps .. " steps",
      "write a whole number from 1 to " .. most_steps)
  end
  if raw.tolerance ~= nil then
    l.tolerance = self:positive(raw.tolerance, join(path, "tolerance"), "the tolerance of a linkage")
  end
  l.start = raw.start ~= nil and read_start(self, raw.start, join(path, "start")) or {}
  return l
end

-- The linkages that the layout has, with links and joints by their number in the model.
function LinkageWords.read(self)
  local raw, list, names = self.raw.linkages, {}, {}
  for k, one in ipairs(raw ~= nil and self:list(raw, {"linkages"}, "linkages", most_linkages) or {}) do
    list[k] = read_one(self, one, {"linkages", k}, names)
  end
  return list
end

-- The bodies between two, without the last that carries both.
local function between(bodies, a, b)
  local way = {}
  while a ~= b do
    if a > b then
      way[#way + 1], a = a, bodies[a].parent
    else
      way[#way + 1], b = b, bodies[b].parent
    end
  end
  return way
end

local function quoted(model, bodies, list)
  local names = {}
  for k, i in ipairs(list) do names[k] = '"' .. model.links[bodies[i].link_index].joint.name .. '"' end
  return table.concat(names, ", ")
end

-- The bodies that joints move, of those of a linkage. what: what they are called in a message.
local function bodies_of(self, reduced, l, word, within)
  local list = {}
  for k, link in ipairs(l[word]) do
    local at, found = join(l.path, word, k), nil
    for i, b in ipairs(reduced.bodies) do found = b.link_index == link and i or found end
    local name = self.model.links[link].joint.name
    if not found then self:fail(at, 'joint "' .. name .. '" does not move in this layout', "leave it out") end
    if not within[found] then
      self:fail(at, 'joint "' .. name .. '" is not in the loops of linkage "' .. l.name .. '"',
        "name joints between the frames that its ties and rods have")
    end
    list[k] = found
  end
  return list
end

-- Which bodies the ties of a linkage have between their frames.
local function loops_of(self, reduced, l)
  local within, body_of = {}, {}
  for _, f in ipairs(reduced.frames) do body_of[f.link] = f.body end
  for _, tie in ipairs(l.ties) do
    for _, word in ipairs {"frame", "to"} do
      if not body_of[tie[word]] then
        self:fail(l.path, 'link "' .. tie[word .. "_name"] .. '" of linkage "' .. l.name ..
          '" is not in the part of the robot that root and tips select', "select it, or name another")
      end
    end
    local way = between(reduced.bodies, body_of[tie.frame], body_of[tie.to])
    if #way == 0 then
      self:fail(l.path, 'linkage "' .. l.name .. '" ties "' .. tie.frame_name .. '" and "' .. tie.to_name ..
        '", which are rigidly connected', "tie links with a moving joint between them")
    end
    for _, i in ipairs(way) do within[i] = true end
  end
  return within
end

local function place_one(self, reduced, l, taken)
  local bodies, within, independent, equations = reduced.bodies, loops_of(self, reduced, l), {}, 0
  l.independent_bodies = bodies_of(self, reduced, l, "independent", within)
  for _, i in ipairs(l.independent_bodies) do independent[i] = true end
  l.dependent = {}
  for i, b in ipairs(bodies) do
    if within[i] and not independent[i] then l.dependent[#l.dependent + 1] = i end
    if within[i] and b.ball then
      self:fail(l.path, "joint " .. quoted(self.model, bodies, {i}) .. ' of linkage "' .. l.name ..
        '" is one axis of a ball joint, which no linkage solves for', "write a rod with two ends (rods) in its place")
    end
    if within[i] and b.mimic then
      self:fail(l.path, "joint " .. quoted(self.model, bodies, {i}) .. ' of linkage "' .. l.name ..
        '" mimics another', "take <mimic> out of the robot's file: the linkage says how it moves")
    end
    if b.mimic and within[b.mimic] and not independent[b.mimic] then
      self:fail(l.path, "joint " .. quoted(self.model, bodies, {i}) .. ' mimics a dependent joint of linkage "' ..
        l.name .. '"', "name that joint as independent")
    end
    if within[i] and taken[i] and not (independent[i] and taken[i].free) then
      self:fail(l.path, "joint " .. quoted(self.model, bodies, {i}) .. ' is in linkage "' .. taken[i].name ..
        '" and in "' .. l.name .. '"', "put the loops that share joints into one linkage")
    end
  end
  for i in pairs(within) do taken[i] = {name = l.name, free = independent[i]} end
  for _, tie in ipairs(l.ties) do equations = equations + #tie.rows end
  if equations ~= #l.dependent then
    self:fail(l.path, 'linkage "' .. l.name .. '" has ' .. equations .. (equations == 1 and " row" or " rows") ..
      " for " .. #l.dependent .. " dependent joints" ..
      (#l.dependent > 0 and ": " .. quoted(self.model, bodies, l.dependent) or ""),
      "name as many rows as dependent joints: leave out rows along which nothing can move, or name other " ..
        "independent joints")
  end
  if not l.motors then return end
  l.motor_bodies = bodies_of(self, reduced, l, "motors", within)
  if #l.motors ~= #l.independent then
    self:fail(join(l.path, "motors"), 'linkage "' .. l.name .. '" has ' .. #l.motors .. " motors for " ..
      #l.independent .. " independent joints", "name one for each, or leave motors out")
  end
end

-- Which bodies of the reduced tree are dependent.
function LinkageWords.place(selection, reduced)
  local taken = {}
  for _, l in ipairs(selection.linkages) do place_one(selection.reader, reduced, l, taken) end
end

return LinkageWords
