-- SPDX-License-Identifier: MIT
-- machine.lua: what a state machine's description says, checked: every state can be reached and left, every
-- event is raised by somebody and waited for, every transition is taken, and what must win does.

local Reader = require "reader"

local most = {states = 64, events = 63} -- bits of a word; event 0 is none

local words = {"name", "doc", "iri", "initial", "states", "events", "transitions", "reactions"}

local function names_of(list)
  local r = {}
  for k, item in ipairs(list) do r[k] = item.name end
  return r
end

-- A list of tables with names; returns it with docs, and {[name] = index}.
local function read_named(self, word, what, fields, read)
  local raw = self.raw[word]
  if raw == nil then
    self:fail({}, "the state machine has no " .. word, "list them: " .. word .. " = { { name = ... } }")
  end
  local list, index = {}, {}
  for k, entry in ipairs(self:list(raw, {word}, word)) do
    local path = {word, k}
    if type(entry) == "string" then entry = {name = entry} end
    self:expect(entry, "table", path, "a " .. what .. ": { name = ... }")
    self:known(entry, fields, path)
    if entry.name == nil then self:fail(path, what .. " " .. k .. " has no name", "give it one: name = ...") end
    local name = self:identifier(entry.name, Reader.join(path, "name"))
    local taken = self.names[name:upper()]
    if taken then
      self:fail(Reader.join(path, "name"), '"' .. name .. '" is the name of a ' .. taken .. " already",
        "give each its own name")
    end
    self.names[name:upper()] = what
    index[name] = k
    list[k] = {name = name, doc = entry.doc == nil and "" or self:expect(entry.doc, "string", Reader.join(path, "doc"))}
    read(list[k], entry, path)
  end
  if #list == 0 then
    self:fail({word}, "the state machine has no " .. word, "list them: " .. word .. " = { { name = ... } }")
  end
  if most[word] and #list > most[word] then
    self:fail({word}, #list .. " " .. word .. " are too many", most[word] .. " at most: make it two machines")
  end
  return list, index
end

-- The index of a name that must be there.
local function find(self, value, path, what, index, list)
  self:expect(value, "string", path, "the name of a " .. what)
  if not index[value] then
    self:fail(path, "there is no " .. what .. ' "' .. value .. '"', Reader.suggestion(value, names_of(list)))
  end
  return index[value]
end

-- One name or a list of them, as indices.
local function find_all(self, value, path, what, index, list)
  if type(value) == "string" then return {find(self, value, path, what, index, list)} end
  return self:each_once(value, path, what .. "s", function(name, at) return find(self, name, at, what, index, list) end)
end

local function read_transitions(self, states, state_index)
  return read_named(self, "transitions", "transition", {"name", "doc", "from", "to"}, function(t, entry, path)
    for _, word in ipairs {"from", "to"} do
      if entry[word] == nil then
        self:fail(path, 'transition "' .. t.name .. '" does not say ' .. word .. " where",
          "write " .. word .. ' = "' .. states[1].name .. '"')
      end
    end
    t.from = {}
    if entry.from == "any" then
      for k in ipairs(states) do t.from[k] = k end
    else
      t.from = find_all(self, entry.from, Reader.join(path, "from"), "state", state_index, states)
    end
    t.to = find(self, entry.to, Reader.join(path, "to"), "state", state_index, states)
  end)
end

-- One entry may wait for several events: it becomes several reactions, one after the other.
local function read_reactions(self, machine, event_index, transition_index)
  local list = {}
  if self.raw.reactions == nil then
    self:fail({}, "the state machine has no reactions", "list them: reactions = { { when = ..., transition = ... } }")
  end
  for k, entry in ipairs(self:list(self.raw.reactions, {"reactions"}, "reactions")) do
    local path = {"reactions", k}
    self:expect(entry, "table", path, "a reaction: { when = ..., transition = ... }")
    self:known(entry, {"when", "transition", "raise"}, path)
    for _, word in ipairs {"when", "transition"} do
      if entry[word] == nil then
        self:fail(path, "reaction " .. k .. " has no " .. word, "write { when = EVENT, transition = TRANSITION }")
      end
    end
    local transition = find(self, entry.transition, Reader.join(path, "transition"), "transition", transition_index,
      machine.transitions)
    local raises = find_all(self, entry.raise or {}, Reader.join(path, "raise"), "event", event_index, machine.events)
    for _, event in ipairs(find_all(self, entry.when, Reader.join(path, "when"), "event", event_index,
        machine.events)) do
      list[#list + 1] = {event = event, transition = transition, raises = raises, path = path}
    end
  end
  return list
end

-- ---- checks: each a property of the whole ----

-- What makes no sense is an error here, and in coord-dsl's files, whose machines run all the same, a warning.
local function odd(self, path, what, remedy)
  if self.lenient then self:warn(path, what) else self:fail(path, what, remedy) end
end

-- Calls f(reaction, state) for every state that a reaction leaves, in the order of priority.
local function each_step(machine, f)
  for _, r in ipairs(machine.reactions) do
    for _, state in ipairs(machine.transitions[r.transition].from) do f(r, state) end
  end
end

local function check_reachable(self, machine)
  local reached, grown = {[machine.initial] = true}, true
  while grown do
    grown = false
    each_step(machine, function(r, state)
      local to = machine.transitions[r.transition].to
      if reached[state] and not reached[to] then reached[to], grown = true, true end
    end)
  end
  for k, s in ipairs(machine.states) do
    -- machines of coord-dsl must name an end, also if they never end
    if not reached[k] and not (self.lenient and s.final) then
      odd(self, {"states", k}, 'state "' .. s.name .. '" cannot be reached from "' ..
        machine.states[machine.initial].name .. '"',
        "add a transition to it and a reaction that uses it, or leave the state out")
    end
  end
end

local function check_left(self, machine)
  local left = {}
  each_step(machine, function(r, state)
    if machine.transitions[r.transition].to ~= state then left[state] = true end
  end)
  for k, s in ipairs(machine.states) do
    if not left[k] and not s.final then
      odd(self, {"states", k}, 'no reaction leaves state "' .. s.name .. '"',
        "add one, or say that the machine ends there: final = true")
    end
    if left[k] and s.final then
      odd(self, {"states", k}, 'state "' .. s.name .. '" is final, but a reaction leaves it',
        "leave out one of the two")
    end
  end
end

local function check_events(self, machine)
  local raised, awaited = {}, {}
  for _, r in ipairs(machine.reactions) do
    awaited[r.event] = true
    for _, e in ipairs(r.raises) do raised[e] = true end
  end
  for k, e in ipairs(machine.events) do
    if not e.by and not raised[k] then
      odd(self, {"events", k}, 'nobody raises event "' .. e.name .. '"',
        'say who does: by = "the contact monitor", or let a reaction raise it')
    end
    if not awaited[k] and not self.lenient then -- there, programs wait for events, too
      odd(self, {"events", k}, 'no reaction waits for event "' .. e.name .. '"', "add one, or leave the event out")
    end
  end
end

local function check_transitions(self, machine)
  local taken = {}
  for _, r in ipairs(machine.reactions) do taken[r.transition] = true end
  for k, t in ipairs(machine.transitions) do
    if not taken[k] then
      odd(self, {"transitions", k}, 'no reaction uses transition "' .. t.name .. '"',
        "add one, or leave the transition out")
    end
  end
end

-- One number for an event in a state.
local function at(event, state) return event * (most.states + 1) + state end

-- A reaction that comes behind others to the same event in each of its states is never taken.
local function check_first_match(self, machine)
  local taken, useful = {}, {}
  each_step(machine, function(r, state)
    local key = at(r.event, state)
    if not taken[key] then taken[key], useful[r] = r, true end
  end)
  for _, r in ipairs(machine.reactions) do
    if not useful[r] then
      odd(self, r.path, 'this reaction to "' .. machine.events[r.event].name ..
        '" can never be executed: others before it match first',
        "move it forward, or leave it out")
    end
  end
end

-- An event that holds everywhere has a reaction in each state, and only such ones stand before it.
local function check_everywhere(self, machine)
  local answered, other = {}, {}
  each_step(machine, function(r, state)
    local event = machine.events[r.event]
    if event.everywhere then
      answered[at(r.event, state)] = true
      if other[state] then
        self:fail(r.path, '"' .. event.name .. '" must be handled everywhere, but a reaction to "' .. other[state] ..
          '" in state "'
          .. machine.states[state].name .. '" comes before this one', "move this one forward: the first match wins")
      end
    else
      other[state] = event.name
    end
  end)
  for e, event in ipairs(machine.events) do
    for s, state in ipairs(machine.states) do
      if event.everywhere and not answered[at(e, s)] then
        self:fail({"events", e}, 'state "' .. state.name .. '" has no reaction to "' .. event.name ..
          '", which must be handled everywhere',
          'add one, from = "any", or leave out everywhere')
      end
    end
  end
end

-- The indices of the events that are marked by a word.
local function marked(machine, word)
  local list = {}
  for k, e in ipairs(machine.events) do
    if e[word] then list[#list + 1] = k end
  end
  return list
end

-- What latches must be released by another event, which some reaction waits for.
local function check_latches(self, machine)
  for k, e in ipairs(machine.events) do
    if e.latches and e.releases then
      self:fail({"events", k}, 'event "' .. e.name .. '" latches and releases', "leave out one of the two")
    end
    if e.latches and #machine.releases == 0 then
      self:fail({"events", k}, 'event "' .. e.name .. '" latches, and no event releases',
        "say which event releases the machine: releases = true, usually for one that the program raises")
    end
    if e.releases and #machine.latches == 0 then
      self:fail({"events", k}, 'event "' .. e.name .. '" releases, but no event latches',
        "leave it out, or say which event latches: latches = true")
    end
  end
end

local Machine = {}

-- The description, checked: {name, doc, initial, states, events, transitions, reactions, latches, releases}; references
-- are indices. line: of a description that is not Lua, from a path of keys to line and source.
function Machine.read(raw, sources, _, line)
  local self = setmetatable({raw = raw, sources = sources, names = {}, what = "the state machine", line = line,
    lenient = line ~= nil}, Reader)
  if type(raw) ~= "table" then self:fail({}, "the state machine is not a table", "end it with: return { ... }") end
  self:known(raw, words, {})
  if raw.name == nil then self:fail({}, "the state machine has no name", 'give it one: name = "pick"') end
  local machine = {name = self:identifier(raw.name, {"name"}),
    doc = raw.doc == nil and "" or self:expect(raw.doc, "string", {"doc"})}
  machine.iri = raw.iri and
    self:expect(raw.iri, "string", {"iri"}, 'the address of its parts for coord-dsl: "https://.../"')
  local state_index, event_index, transition_index
  machine.states, state_index = read_named(self, "states", "state", {"name", "doc", "final"}, function(s, entry, path)
    s.final = entry.final ~= nil and self:expect(entry.final, "boolean", Reader.join(path, "final"))
  end)
  machine.events, event_index =
    read_named(self, "events", "event", {"name", "doc", "by", "everywhere", "latches", "releases"},
    function(e, entry, path)
    e.by = entry.by and self:expect(entry.by, "string", Reader.join(path, "by"))
    for _, word in ipairs {"everywhere", "latches", "releases"} do
      e[word] = entry[word] ~= nil and self:expect(entry[word], "boolean", Reader.join(path, word))
    end
  end)
  machine.latches, machine.releases = marked(machine, "latches"), marked(machine, "releases")
  machine.initial = raw.initial == nil and 1 or
    find(self, raw.initial, {"initial"}, "state", state_index, machine.states)
  machine.transitions, transition_index = read_transitions(self, machine.states, state_index)
  machine.reactions = read_reactions(self, machine, event_index, transition_index)
  check_transitions(self, machine)
  check_events(self, machine)
  check_first_match(self, machine)
  check_reachable(self, machine)
  check_left(self, machine)
  check_everywhere(self, machine)
  check_latches(self, machine)
  for _, r in ipairs(machine.reactions) do r.path = nil end
  return machine
end

return Machine
