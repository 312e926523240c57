-- SPDX-License-Identifier: MIT
-- fsm.lua: reads state machines of coord-dsl (.fsm files). Its language has had two forms. Today's has braces:
--   ns ex = "http://example.org/"
--   evt loop (ns=ex) el { evt E_GO, evt E_DONE }
--   fsm (ns=ex) pick {
--     states { S_IDLE, S_END }   evt loop: <el>   start: <S_IDLE>   end: <S_END>
--     transitions { T_GO { from: <S_IDLE>, to: <S_END> } }
--     reactions { R_GO { when: <el.E_GO>, do: <T_GO>, fires { <el.E_DONE> } } } }
-- The one before July 2026 has sections in capitals and references by @, with or without FSM (ns=ex) pick { .. }:
--   NAME: (ns=ex) pick   STATES: S_IDLE, S_END   START_STATE: @S_IDLE   END_STATE: @S_END   EVENTS: E_GO, E_DONE
--   TRANSITIONS: T_GO: FROM: @S_IDLE TO: @S_END   REACTIONS: R_GO: WHEN: @E_GO DO: @T_GO FIRES: @E_DONE
-- One parser reads both into the table that machine.lua checks. The machine steps as coord2b steps it: nothing
-- happens in the end state, and parts that are never used are allowed; they are warned of.

local Machine = require "machine"
local Reader = require "reader"

-- ---- words of a text ----

local symbols = "{}()<>:,=@."

local function token(kind, value, line, source) return {kind = kind, value = value, line = line, source = source} end

-- The text's tokens, the last of kind "end": names (letters, digits, _ and -), texts in quotes, symbols.
local function tokens(text, source)
  local list, at, line = {}, 1, 1
  local function fail(what, remedy) ag.fail(line, source, what, remedy) end
  local function pass(upto)
    local _, newlines = text:sub(at, upto):gsub("\n", "")
    line, at = line + newlines, upto + 1
  end
  while at <= #text do
    local c = text:sub(at, at)
    local name = text:match("^[%a_][%w_%-]*", at)
    if c:find("%s") then
      pass(at)
    elseif text:sub(at, at + 1) == "//" then
      pass((text:find("\n", at, true) or #text + 1) - 1)
    elseif text:sub(at, at + 1) == "/*" then
      local _, close = text:find("*/", at + 2, true)
      if not close then fail("a comment begins here and does not end", "end it with */") end
      pass(close)
    elseif c == '"' or c == "'" then
      local close = at + 1
      while close <= #text and text:sub(close, close) ~= c do
        close = close + (text:sub(close, close) == "\\" and 2 or 1)
      end
      if close > #text then fail("a text begins here and does not end", "end it with " .. c) end
      local plain = text:sub(at + 1, close - 1):gsub("\\(.)", "%1")
      list[#list + 1] = token("text", plain, line, source)
      pass(close)
    elseif name then
      name = name:gsub("%-+$", "") -- a name ends with a letter, a digit or _
      list[#list + 1] = token("name", name, line, source)
      at = at + #name
    elseif symbols:find(c, 1, true) then
      list[#list + 1] = token("symbol", c, line, source)
      at = at + 1
    else
      local shown = c:byte() > 127 and "a character that is not ASCII" or '"' .. c:gsub("%c", "?") .. '"'
      fail(shown .. " does not belong into a state machine",
        "write names with letters, digits, _ and -; texts in quotes; comments behind //")
    end
  end
  list[#list + 1] = token("end", "the end of the file", line, source)
  return list
end

-- ---- sentences ----

local Parser = {}
Parser.__index = Parser

local function shown(t) return t.kind == "end" and t.value or '"' .. t.value:gsub("%c", "?") .. '"' end

function Parser:fail(t, what, remedy) ag.fail(t.line, t.source, what, remedy) end
function Parser:peek(ahead) return self.list[math.min(self.at + (ahead or 0), #self.list)] end
function Parser:next()
  local t = self:peek()
  self.at = self.at + 1
  return t
end
function Parser:is(value, ahead)
  local t = self:peek(ahead)
  return t.kind ~= "text" and t.value == value
end
function Parser:take(value)
  if not self:is(value) then return nil end
  return self:next()
end
-- The next tokens must be these.
function Parser:need(example, ...)
  for _, value in ipairs {...} do
    local t = self:next()
    if t.kind == "text" or t.value ~= value then
      self:fail(t,
        shown(t) .. ' stands where "' .. value .. '" is expected', "write " .. example)
    end
  end
end
function Parser:name(what, example)
  local t = self:next()
  if t.kind ~= "name" then
    self:fail(t, shown(t) .. " stands where the name of " .. what .. " is expected",
      "write " .. example)
  end
  return t
end
function Parser:text(what)
  local t = self:next()
  if t.kind ~= "text" then
    self:fail(t, shown(t) .. " stands where " .. what .. " is expected",
      'write it in quotes: "..."')
  end
  return t
end

-- a, b, c: as many as read() reads
function Parser:commas(read)
  local list = {}
  repeat list[#list + 1] = read() until not self:take(",")
  return list
end

-- @name or <name> or <loop.name>: {value, line, source, of}
function Parser:reference(what)
  if self:take("@") then return self:name(what, "@NAME") end
  self:need("<NAME>, or @NAME in the form with capitals", "<")
  local t, of = self:name(what, "<NAME>"), nil
  while self:take(".") do
    of = of and of .. "." .. t.value or t.value
    t = self:name(what, "<LOOP.NAME>")
  end
  self:need("<NAME>", ">")
  return {kind = "name", value = t.value, line = t.line, source = t.source, of = of}
end

-- (ns=ID): the namespace that is declared under this name
function Parser:namespace()
  self:need('(ns=ID), with ns ID = "https://..." above', "(", "ns", "=")
  local t = self:name("a namespace", "(ns=ID)")
  self:need("(ns=ID)", ")")
  return self:declared_namespace(t)
end
function Parser:declared_namespace(t)
  local names = {}
  for name in pairs(self.namespaces) do names[#names + 1] = name end
  table.sort(names)
  if not self.namespaces[t.value] then
    self:fail(t, 'there is no namespace "' .. t.value .. '"',
      #names > 0 and Reader.suggestion(t.value, names) or 'declare it: ns ' .. t.value .. ' = "https://..."')
  end
  return {name = t.value, uri = self.namespaces[t.value]}
end

-- ---- what stands above a machine ----

-- evt loop (ns=ID) NAME { evt E_A, evt E_B, flg F_C }; flags are for behaviour trees, machines have no use for them
function Parser:event_loop()
  self:need("evt loop (ns=ID) NAME { evt E_GO }", "evt", "loop")
  local namespace = self:namespace()
  local name = self:name("an event loop", "evt loop (ns=ID) NAME { evt E_GO }")
  if self.loops[name.value] then
    self:fail(name, 'there are two event loops "' .. name.value .. '"',
      "give each its own name")
  end
  self:need("evt loop (ns=ID) NAME { evt E_GO }", "{")
  local loop = {name = name.value, namespace = namespace, events = {}, flags = {}}
  self:commas(function()
    local flag = self:take("flg") ~= nil
    if not flag then self:need("evt E_GO", "evt") end
    local list = flag and loop.flags or loop.events
    list[#list + 1] = self:name(flag and "a flag" or "an event", flag and "flg F_DONE" or "evt E_GO")
  end)
  self:need("evt loop (ns=ID) NAME { evt E_GO, evt E_DONE }: commas between events, a brace at the end", "}")
  self.loops[name.value] = loop
end

-- import "FILE": its namespaces and event loops are known here, too.
function Parser:import()
  local at = self:next()
  local file = self:text("the name of a file")
  local text, source = ag.source_text(file.value, at.line, at.source)
  if self.imported[source] == "open" then
    self:fail(at, file.value .. " imports itself, directly or through others", "take one import out of the circle")
  end
  if self.imported[source] then return end
  self.imported[source] = "open"
  local inner = setmetatable({list = tokens(text, source), at = 1, namespaces = self.namespaces, loops = self.loops,
    imported = self.imported}, Parser)
  inner:declarations()
  self.imported[source] = "read"
end

function Parser:declarations()
  while self:is("import") do self:import() end
  while self:is("ns") do
    self:next()
    local name = self:name("a namespace", 'ns ID = "https://..."')
    self:need('ns ID = "https://..."', "=")
    self.namespaces[name.value] = self:text("the address of a namespace").value
  end
  while self:is("evt") do self:event_loop() end
end

-- ---- the machine ----

-- NAME { one, two }, or NAME: one two
function Parser:block(item, braces)
  if not braces then
    local list = {}
    while self:peek().kind == "name" and not self.capitals[self:peek().value] do list[#list + 1] = item() end
    return list
  end
  self:need("a list in braces: { ONE { .. }, TWO { .. } }", "{")
  local list = self:commas(item)
  self:need("commas between the entries, a brace at the end", "}")
  return list
end

-- NAME { WORD: @A, WORD: @B }, or NAME: WORD: @A WORD: @B. words: {[in which form] = word}
function Parser:entry(what, words, more)
  local name = self:name(what, "NAME { .. }")
  local entry = {name = name.value, token = name}
  local braces = self:take("{") ~= nil
  if not braces then self:need("NAME { .. }, or NAME: in the form with capitals", ":") end
  for k, w in ipairs(words) do
    local word = braces and w.word or w.word:upper()
    if k > 1 and braces then self:need("a comma between " .. words[k - 1].word .. " and " .. w.word, ",") end
    self:need(word .. ": " .. (braces and "<NAME>" or "@NAME"), word, ":")
    entry[w.word] = self:reference(w.what)
  end
  if more then more(entry, braces) end
  if braces then self:need("a brace behind " .. what .. ' "' .. name.value .. '"', "}") end
  return entry
end

local from_to = {{word = "from", what = "a state"}, {word = "to", what = "a state"}}
local when_do = {{word = "when", what = "an event"}, {word = "do", what = "a transition"}}

function Parser:transition() return self:entry("a transition", from_to) end

function Parser:reaction()
  return self:entry("a reaction", when_do, function(entry, braces)
    entry.fires = {}
    local function event() return self:reference("an event") end
    if not braces and self:take("FIRES") then
      self:need("FIRES: @EVENT", ":")
      entry.fires = self:commas(event)
    elseif braces and self:take(",") then
      self:need("fires { <LOOP.EVENT> }", "fires", "{")
      entry.fires = self:commas(event)
      self:need("fires { <LOOP.EVENT> }", "}")
    end
  end)
end

-- The sections of a machine: how each is called in capitals, what it is and how it is read. Today's form has the
-- same words small.
local sections = {
  {capitals = "DESCRIPTION", word = "description", read = function(self) return self:text("a description").value end},
  {capitals = "STATES", word = "states", list = "a state"},
  {capitals = "START_STATE", word = "start", state = true},
  {capitals = "CURRENT_STATE", word = "current", state = true},
  {capitals = "END_STATE", word = "end", state = true},
  {capitals = "EVENTS", word = "events", list = "an event"},
  {capitals = "TRANSITIONS", word = "transitions", entries = Parser.transition},
  {capitals = "REACTIONS", word = "reactions", entries = Parser.reaction},
}
Parser.capitals = {}
for _, s in ipairs(sections) do Parser.capitals[s.capitals] = true end
local in_braces = {states = true, events = true, transitions = true, reactions = true}

function Parser:section(section, braces)
  if section.list then
    if braces then self:need(section.word .. " { ONE, TWO }", "{") end
    local list = self:commas(function() return self:name(section.list, "names with commas between them") end)
    if braces then self:need(section.word .. " { ONE, TWO }", "}") end
    return list
  end
  if section.entries then return self:block(function() return section.entries(self) end, braces) end
  if section.state then return self:reference("a state") end
  return section.read(self)
end

-- The sections behind the machine's name, in any order, up to the closing brace or the end of the file.
function Parser:body(capitals)
  local words, found = {}, {}
  for k, s in ipairs(sections) do words[k] = capitals and s.capitals or s.word end
  if not capitals then words[4] = "evt loop" end -- it has no state but the first in which a machine can be
  while self:peek().kind ~= "end" and not self:is("}") do
    local t = self:next()
    if not capitals and t.kind == "name" and t.value == "evt" then
      self:need("evt loop: <NAME>", "loop", ":")
      found.loop = self:reference("an event loop")
    else
      local k
      for j, word in ipairs(words) do if t.kind == "name" and t.value == word then k = j end end
      if not k then self:fail(t, shown(t) .. " is no section of a state machine", Reader.suggestion(t.value, words)) end
      local section = sections[k]
      if found[section.word] then self:fail(t, 'there are two sections "' .. t.value .. '"', "leave one out") end
      local braces = not capitals and in_braces[section.word]
      if not braces then self:need(t.value .. ":", ":") end
      found[section.word] = self:section(section, braces)
    end
  end
  for k, s in ipairs(sections) do
    local needed = s.word ~= "description" and s.word ~= "current" and not (s.word == "events" and found.loop)
    if needed and not found[s.word] then
      local rest = s.state and (capitals and ": @NAME" or ": <NAME>") or in_braces[words[k]] and " { .. }" or ": .."
      local remedy = "write "
        .. (s.word == "events" and not capitals and "evt loop: <NAME>, with the loop above the machine"
        or words[k] .. rest)
      self:fail(self:peek(), 'the state machine has no "' .. words[k] .. '"', remedy)
    end
  end
  return found
end

-- fsm (ns=ID) NAME { .. }, FSM (ns=ID) NAME { .. }, or NAME: (ns=ID) name, NAME: ID.name, NAME: name
function Parser:machine()
  local head = self:next()
  local capitals = head.value ~= "fsm"
  local namespace, name
  if head.kind == "name" and (head.value == "fsm" or head.value == "FSM") then
    namespace = self:namespace()
    name = self:name("the state machine", "fsm (ns=ID) NAME { .. }")
    self:need("fsm (ns=ID) NAME { .. }", "{")
  elseif head.kind == "name" and head.value == "NAME" then
    self:need("NAME: name", ":")
    if self:is("(") then namespace = self:namespace() end
    name = self:name("the state machine", "NAME: name")
    if self:take(".") then
      namespace = self:declared_namespace(name)
      name = self:name("the state machine", "NAME: ID.name")
    end
  else
    self:fail(head, shown(head) .. " stands where the state machine begins",
      'write fsm (ns=ID) NAME { .. }; ns ID = "https://..." and the event loop stand above it')
  end
  local machine = self:body(capitals)
  if head.value ~= "NAME" then self:need("a brace at the end of the state machine", "}") end
  if self:peek().kind ~= "end" then
    self:fail(self:peek(), shown(self:peek()) .. " stands behind the state machine",
      "leave it out: one state machine is in a file")
  end
  machine.name, machine.namespace, machine.form = name, namespace, head.value
  return machine
end

-- ---- the same as machine.lua's table ----

local function identifier(name) return (name:gsub("%-", "_")) end

-- The item that a reference names; qualifiers: what may stand before its point; their flags are no events.
local function refer(parser, list, reference, what, qualifiers)
  for _, flag in ipairs(qualifiers.flags or {}) do
    if flag.value == reference.value then
      parser:fail(reference, '"' .. reference.value .. '" is a flag of the event loop, and no event',
        "name an event; a state machine has no use for flags")
    end
  end
  local names = {}
  for k, item in ipairs(list) do
    names[k] = item.value or item.name
    if names[k] == reference.value then
      if reference.of and not qualifiers[reference.of] then
        parser:fail(reference,
          'there is no "' .. reference.of .. '" that has ' .. what .. ' "' .. reference.value .. '"',
          Reader.suggestion(reference.of, qualifiers))
      end
      if not reference.of and qualifiers.needed then
        parser:fail(reference, "<" .. reference.value .. "> does not say of which event loop",
          "write <" .. qualifiers.needed .. "." .. reference.value .. ">")
      end
      return identifier(names[k])
    end
  end
  parser:fail(reference, 'there is no ' .. what .. ' "' .. reference.value .. '"',
    Reader.suggestion(reference.value, names))
end

-- Names that differ in - and _ alone are one name in C.
local function check_apart(parser, list)
  local taken = {}
  for _, item in ipairs(list) do
    local t = item.token or item
    local other = taken[identifier(t.value)]
    if other then
      parser:fail(t, '"' .. t.value .. '" and "' .. other .. '" are one name'
        .. (t.value == other and "" or " in C, where - becomes _"), "give each its own name")
    end
    taken[identifier(t.value)] = t.value
  end
end

local function events_of(parser, m)
  if not m.loop then return m.events, {} end
  local loop = parser.loops[m.loop.value]
  local names = {}
  for name in pairs(parser.loops) do names[#names + 1] = name end
  table.sort(names)
  if not loop then
    parser:fail(m.loop, 'there is no event loop "' .. m.loop.value .. '"',
      #names > 0 and Reader.suggestion(m.loop.value, names)
      or "write evt loop (ns=ID) " .. m.loop.value .. " { evt E_GO } above the machine")
  end
  if #loop.events == 0 then
    parser:fail(m.loop, 'the event loop "' .. loop.name .. '" has flags, but no event', "write evt E_GO in it")
  end
  return loop.events, {[1] = loop.name, [loop.name] = true, needed = loop.name, flags = loop.flags}
end

-- The table that machine.lua reads, and the tokens that its paths stand for.
local function description(parser, m)
  local events, of_loop = events_of(parser, m)
  local own = {[1] = m.name.value, [m.name.value] = true}
  local raw = {name = identifier(m.name.value), doc = m.description, states = {}, events = {}, transitions = {},
    reactions = {}}
  local where = {name = m.name, states = {}, events = {}, transitions = {}, reactions = {}}
  for _, list in ipairs {m.states, events, m.transitions, m.reactions} do check_apart(parser, list) end
  if m.loop then
    local members = {}
    for _, list in ipairs {events, parser.loops[m.loop.value].flags} do
      for _, t in ipairs(list) do members[#members + 1] = t end
    end
    check_apart(parser, members)
  end
  local ending = refer(parser, m.states, m["end"], "state", own)
  for k, t in ipairs(m.states) do
    raw.states[k], where.states[k] = {name = identifier(t.value), final = identifier(t.value) == ending}, t
  end
  for k, t in ipairs(events) do raw.events[k], where.events[k] = {name = identifier(t.value), by = "the program"}, t end
  local from = {}
  for k, t in ipairs(m.transitions) do
    local entry = {name = identifier(t.name), from = refer(parser, m.states, t.from, "state", own),
      to = refer(parser, m.states, t.to, "state", own)}
    raw.transitions[k], where.transitions[k], from[entry.name] = entry, t.token, entry.from
  end
  for _, r in ipairs(m.reactions) do
    local entry = {when = refer(parser, events, r.when, "event", of_loop),
      transition = refer(parser, m.transitions, r["do"], "transition", own), raise = {}}
    for k, e in ipairs(r.fires) do entry.raise[k] = refer(parser, events, e, "event", of_loop) end
    if from[entry.transition] == ending then
      ag.warn_layout(r.token.line, r.token.source,
        'reaction "' .. r.name .. '" leaves the end state "' .. m["end"].value
        .. '", where nothing happens any more: it is left out')
    else
      raw.reactions[#raw.reactions + 1], where.reactions[#where.reactions + 1] = entry, r.token
    end
  end
  if #raw.reactions == 0 then
    parser:fail(m.name, "the state machine has no reaction that can be executed",
      "write at least one")
  end
  raw.initial = refer(parser, m.states, m.start, "state", own)
  where.initial = m.start
  if m.current then
    local current = refer(parser, m.states, m.current, "state", own)
    if current ~= raw.initial then
      ag.warn_layout(m.current.line, m.current.source,
        'the machine begins in "' .. m.current.value .. '", its CURRENT_STATE, not in "' .. m.start.value .. '"')
      raw.initial, where.initial = current, m.current
    end
  end
  return raw, where
end

-- A reader's function from a path of keys to line and source.
local function lines(where, first)
  return function(...)
    local node, t = where, first
    for _, key in ipairs {...} do
      node = type(node) == "table" and node[key] or nil
      if node == nil then break end
      if node.line then t = node end
    end
    return t.line, t.source
  end
end

-- Names as they stand in the file, for who writes the machine again.
local function keep_names(machine, m, parser, where)
  local events = events_of(parser, m)
  for k, t in ipairs(where.transitions) do machine.transitions[k].said = t.value end
  for k, t in ipairs(where.reactions) do machine.reactions[k].said = t.value end
  for k, t in ipairs(m.states) do machine.states[k].said = t.value end
  for k, t in ipairs(events) do machine.events[k].said = t.value end
  machine.said = m.name.value
  machine.form = m.form
  if m.namespace then machine.namespace = m.namespace end
  local loop = m.loop and parser.loops[m.loop.value]
  if loop then
    machine.loop = {name = loop.name, namespace = loop.namespace, flags = {}}
    for k, t in ipairs(loop.flags) do machine.loop.flags[k] = t.value end
  end
end

local Fsm = {}

-- The description, checked, as machine.lua gives it.
function Fsm.read(text)
  local parser = setmetatable({list = tokens(text, 1), at = 1, namespaces = {}, loops = {}, imported = {[1] = "open"}},
    Parser)
  parser:declarations()
  local m = parser:machine()
  local raw, where = description(parser, m)
  local machine = Machine.read(raw, {}, nil, lines(where, m.name))
  keep_names(machine, m, parser, where)
  return machine
end

return Fsm
