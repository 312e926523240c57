-- SPDX-License-Identifier: MIT
-- step_words.lua: what a layout says of the step of a simulator: step = { time_step = 1e-3 or "input", integrator =
-- "semi_implicit", substeps = 1 }.

local StepWords = {}

-- Steps that long or short are of no simulation of a robot [s].
local longest, shortest, most_substeps = 10, 1e-12, 16

-- loops = { "pin" }: names of ties and of groups of physical rows, which the step holds.
local function read_loops(self, raw, L)
  local path, loops, names = {"step", "loops"}, {}, {}
  for _, g in ipairs(L.groups) do
    if g.to or g.kind == "physical" then names[#names + 1] = g.name end
  end
  for k, name in ipairs(self:list(raw, path, "names of ties and of groups of physical rows")) do
    local at = self.join(path, k)
    self:expect(name, "string", at, "the name of a tie or of a group of physical rows")
    local found
    for _, g in ipairs(L.groups) do found = g.name == name and g or found end
    if not found then
      self:fail(at, 'no group is named "' .. name .. '"',
        #names > 0 and self.suggestion(name, names) or "name a tie: { name = ..., frame = ..., to = ... }")
    end
    if found.kind ~= "physical" then
      self:fail(at, 'the group "' .. name .. '" is artificial: motors hold it, and a step is given their torques',
        'write kind = "physical", or leave it out')
    end
    loops[name] = true
  end
  return loops
end

-- contacts = { { name, frame, at = { x, y, z }, radius, kind = "point" or "sphere" } }: points, and spheres about them.
local function read_contact(self, c, path, taken, frame_of)
  self:expect(c, "table", path, 'a contact: { name = "toe", frame = "foot" }')
  self:known(c, {"name", "frame", "at", "radius", "kind"}, path)
  for _, word in ipairs {"name", "frame"} do
    if c[word] == nil then
      self:fail(path, "a contact has no " .. word,
        word == "name" and 'give it one: name = "toe"' or "name the link that it is fixed to: frame = ...")
    end
  end
  local name = self:identifier(c.name, self.join(path, "name"))
  if taken[name] then
    self:fail(self.join(path, "name"), 'two contacts are named "' .. name .. '"', "give each its own name")
  end
  taken[name] = true
  local link = self:link(c.frame, self.join(path, "frame"))
  local kind = c.kind == nil and (c.radius and "sphere" or "point") or
    self:one_of(c.kind, {"point", "sphere"}, self.join(path, "kind"))
  if kind == "point" and c.radius ~= nil then
    self:fail(self.join(path, "radius"), 'the contact "' .. name .. '" is a point, and has a radius',
      'leave radius out, or write kind = "sphere"')
  end
  if kind == "sphere" and c.radius == nil then
    self:fail(path, 'the sphere "' .. name .. '" has no radius', "give it one [m]: radius = 0.02")
  end
  local frame = frame_of(link, self.join(path, "frame"))
  if frame.body == 0 and self.base == "fixed" then
    self:fail(self.join(path, "frame"), 'the contact "' .. name .. '" is fixed to "' .. c.frame ..
      '", which does not move', "name a link that a joint moves, or leave it out")
  end
  local radius = c.radius and self:positive(c.radius, self.join(path, "radius"), "the radius [m]") or 0
  local at = c.at == nil and {0, 0, 0} or
    self:numbers(c.at, self.join(path, "at"), 3, "three numbers [m]: { 0, 0, -0.02 }")
  return {name = name, frame = frame, radius = radius, at = at}
end

local most_contacts = 24

-- L.contacts
function StepWords.read_contacts(self, L, frame_of)
  L.contacts = {}
  if self.raw.contacts == nil then return end
  local taken = {}
  for k, c in ipairs(self:list(self.raw.contacts, {"contacts"}, "contacts", most_contacts)) do
    L.contacts[k] = read_contact(self, c, {"contacts", k}, taken, frame_of)
  end
end

-- L.step = {time_step, integrator, substeps, loops: by name the ties that are held, nil: all; named: whether
-- the layout has the word}
function StepWords.read(self, L)
  local raw, path = self.raw.step, {"step"}
  local step = {time_step = "input", integrator = "semi_implicit", substeps = 1, named = raw ~= nil}
  L.step = step
  if raw == nil then return end
  self:expect(raw, "table", path, 'a table: { time_step = 1e-3, integrator = "semi_implicit" }')
  self:known(raw, {"time_step", "integrator", "substeps", "loops"}, path)
  if raw.time_step ~= nil and raw.time_step ~= "input" then
    local at = self.join(path, "time_step")
    if type(raw.time_step) == "string" then
      self:fail(at, '"step.time_step" is "' .. raw.time_step .. '"', 'write a period in s, or "input"')
    end
    step.time_step = self:positive(raw.time_step, at, "the period of the steps [s]")
    if step.time_step > longest or step.time_step < shortest then
      self:fail(at, string.format("a period of %g s is no step of a robot's motion", step.time_step),
        "write it in s: 1e-3")
    end
  end
  if raw.integrator ~= nil then
    step.integrator = self:one_of(raw.integrator, {"semi_implicit", "rk4", "implicit_midpoint", "momentum"},
      self.join(path, "integrator"))
  end
  if raw.loops ~= nil then step.loops = read_loops(self, raw.loops, L) end
  if raw.substeps ~= nil then
    local at = self.join(path, "substeps")
    local count = self:expect(raw.substeps, "number", at, "a whole number from 1 to " .. most_substeps)
    if count ~= math.floor(count) or count < 1 or count > most_substeps then
      self:fail(at, string.format('"step.substeps" is %g', count), "write a whole number from 1 to " .. most_substeps)
    end
    step.substeps = math.tointeger(count)
  end
end

return StepWords
