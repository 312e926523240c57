-- SPDX-License-Identifier: MIT
-- sandbox.lua: what a layout can call: arithmetic, text, lists, and include. No io, no os, no load, no random, no
-- addresses, and `pairs` in the order of the keys, so that the same layout gives the same header on any
-- machine. script.c bounds instructions, time and memory; what could run for long inside one call is written
-- here in Lua, where instructions count, or left out. A name that is not defined is an error, not nil: who leaves
-- out the quotes of a text would otherwise leave out the word that it is given to.

local function sort(t, before)
  before = before or function(a, b) return a < b end
  local from, to, n, width = t, {}, #t, 1
  while width < n do -- merge runs of `width`
    for low = 1, n, 2 * width do
      local a, b = low, low + width
      local a_end, b_end = math.min(b, n + 1), math.min(low + 2 * width, n + 1)
      for k = low, b_end - 1 do
        if a < a_end and (b >= b_end or not before(from[b], from[a])) then
          to[k], a = from[a], a + 1
        else
          to[k], b = from[b], b + 1
        end
      end
    end
    from, to, width = to, from, 2 * width
  end
  if from ~= t then
    for k = 1, n do t[k] = from[k] end
  end
end

local function insert(t, ...)
  local n, count = #t, select("#", ...)
  if count == 1 then
    t[n + 1] = (...)
    return
  end
  local at, value = ...
  if count ~= 2 or math.type(at) ~= "integer" or at < 1 or at > n + 1 then
    error("table.insert takes a table, a position in it and a value", 2)
  end
  for k = n, at, -1 do t[k + 1] = t[k] end
  t[at] = value
end

local function remove(t, at)
  local n = #t
  if at == nil then at = n end
  if n == 0 then return nil end
  if math.type(at) ~= "integer" or at < 1 or at > n then error("table.remove takes a position in the table", 2) end
  local value = t[at]
  for k = at, n - 1 do t[k] = t[k + 1] end
  t[n] = nil
  return value
end

local function rep(s, n, separator)
  if #s + #(separator or "") == 0 then return "" end
  return string.rep(s, n, separator)
end

-- As table.unpack and string.byte, of at most `most` values: each is copied at every call that passes it on.
local most = 1000
local function unpack(t, from, to)
  from, to = from or 1, to or #t
  if to - from >= most then error("table.unpack takes at most " .. most .. " values", 2) end
  return table.unpack(t, from, to)
end

local function byte(s, from, to)
  if to and #string.sub(s, from or 1, to) > most then error("string.byte takes at most " .. most .. " letters", 2) end
  return string.byte(s, from, to)
end

local most_texts = 10000
local function concat(t, separator, from, to)
  from, to = from or 1, to or #t
  if to - from >= most_texts then error("table.concat takes at most " .. most_texts .. " texts", 2) end
  return table.concat(t, separator, from, to)
end

local rank = {number = 1, string = 2, boolean = 3}
local function sorted_pairs(t)
  local keys = {}
  for k in next, t do
    if not rank[type(k)] then error("pairs: the keys are numbers, text, true or false", 2) end
    keys[#keys + 1] = k
  end
  sort(keys, function(a, b)
    local ka, kb = rank[type(a)], rank[type(b)]
    if ka ~= kb then return ka < kb end
    if ka == 3 then return not a and b end
    return a < b
  end)
  local i = 0
  return function()
    i = i + 1
    if keys[i] ~= nil then return keys[i], t[keys[i]] end
  end
end

local function plain(v) -- without addresses
  local kind = type(v)
  if kind == "table" or kind == "function" then return kind end
  return tostring(v)
end

-- The C library's last digits differ between machines: ours.
local function sin(x) return (ag.sincos(x)) end
local function cos(x) return select(2, ag.sincos(x)) end
local function tan(x)
  local s, c = ag.sincos(x)
  return s / c
end

local over = false -- the file has run

-- ---- names that are not defined ----

-- What a layout may say as text, beside the names of links and joints: a misspelt word without quotes may have meant
-- one of them. In machines and tasks text is a name that the file itself gives.
local texts = {
  "physical", "artificial", "fixed", "planar", "floating", "quaternion", "matrix", "base", "link", "input", "stop",
  "wrenches", "yields", "classical", "spatial", "damp", "drop", "truncate", "urdf", "file", "lin_x", "lin_y", "lin_z",
  "ang_x", "ang_y", "ang_z", "qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "pivot_min", "pivot",
  "residual", "bound",
}
local constants = {
  True = "true", TRUE = "true", False = "false", FALSE = "false", None = "nil", Nil = "nil", NULL = "nil", null = "nil",
}
local left_out = {}
for _, name in ipairs {
  "_G", "_VERSION", "collectgarbage", "coroutine", "debug", "dofile", "getmetatable", "io", "load", "loadfile",
  "loadstring", "next", "os", "package", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
  "setmetatable", "utf8", "warn", "xpcall",
} do left_out[name] = true end

local function fail(what, remedy)
  local line, source = ag.here()
  ag.fail(line, source, what, remedy)
end

local function holds(list, value)
  for _, v in ipairs(list) do if v == value then return true end end
  return false
end

-- variables: the names of those that have a value.
local function undefined(name, variables)
  if type(name) ~= "string" then return nil end -- _ENV[1]
  if #name > 63 then name = string.sub(name, 1, 63) .. "..." end
  name = string.gsub(name, "%c", "?") -- _ENV["a\n"]
  if left_out[name] then
    fail('"' .. name .. '" of Lua is left out of layouts',
      "a layout may use math, string, table, pairs, ipairs and include")
  end
  local what = name .. " is not defined: a word without quotes is the name of a variable"
  if constants[name] then fail(what, "write " .. constants[name]) end
  local known = ag.names() -- of links and joints
  for k = 1, #known > 0 and #texts or 0 do known[#known + 1] = texts[k] end
  if holds(known, name) then fail(what, 'text stands in quotes: write "' .. name .. '"') end
  local text = ag.near(name, known, "")
  local variable = string.gsub(ag.near(name, variables, ""), '"', "")
  if variable ~= "" and text ~= "" then
    fail(what, string.sub(variable, 1, -2) .. ", or the text " .. string.sub(text, #"did you mean " + 1))
  elseif variable ~= "" then
    fail(what, variable .. ' Text stands in quotes: "' .. name .. '"')
  elseif text ~= "" then
    fail(what, 'text stands in quotes: write "' .. name .. '"; ' .. text)
  end
  fail(what, 'text stands in quotes: write "' .. name .. '"; a variable is given a value first: local ' .. name ..
    " = ...")
end

-- The functions of a library that are the same here, our own, and those that say why they are left out.
local function library(name, from, same, own, missing, why)
  local r, words = {}, {}
  for _, word in ipairs(same) do r[word] = from[word] end
  for word, f in pairs(own) do r[word] = f end
  for word in next, r do words[#words + 1] = word end
  sort(words)
  for _, word in ipairs(missing) do
    r[word] = function() error(name .. "." .. word .. " is left out of layouts: " .. why, 2) end
  end
  return setmetatable(r, {__index = function(_, word)
    if over or type(word) ~= "string" then return nil end
    fail(name .. "." .. word .. " is not defined", ag.near(word, words, name .. " has " .. table.concat(words, ", ")))
  end})
end

-- A task of the task frame formalism; task.lua says what it may contain.
local function move_compliantly(task) return {formalism = "move_compliantly", task = task} end

local defined = {
  move_compliantly = move_compliantly,
  pairs = sorted_pairs, ipairs = ipairs, tostring = plain, tonumber = tonumber, type = type, error = error,
  assert = assert, select = select, include = ag.include,
  math = library("math", math, {
    "abs", "ceil", "deg", "rad", "floor", "fmod", "huge", "max", "min", "modf", "pi", "sqrt", "tointeger", "type",
    "maxinteger", "mininteger", "ult",
  }, {sin = sin, cos = cos, tan = tan}, {"acos", "asin", "atan", "exp", "log"},
    "its last digit differs between machines"),
  string = library("string", string, {"char", "len", "lower", "upper", "reverse", "sub"}, {rep = rep, byte = byte},
    {"find", "format", "gmatch", "gsub", "match"}, "patterns can run for ever"),
  table = library("table", table, {"pack"},
    {concat = concat, unpack = unpack, insert = insert, remove = remove, sort = sort}, {"move"},
    "write a loop"),
}

-- ---- variables of the file's own: what they are given, where first, and whether that is read ----

local given, first, order, read = {}, {}, {}, {}

local function variables()
  local list = ag.locals()
  for name in next, given do list[#list + 1] = name end
  for name in next, defined do list[#list + 1] = name end
  sort(list)
  return list
end

local environment = setmetatable({}, {
  __index = function(_, name)
    if first[name] then
      read[name] = true
      return given[name]
    end
    if defined[name] ~= nil or over then return defined[name] end
    return undefined(name, variables())
  end,
  __newindex = function(_, name, value)
    if name == nil or name ~= name then error("a variable needs a name", 2) end
    if not first[name] then
      local line, source = ag.here()
      first[name], order[#order + 1] = {line = line, source = source}, name
    end
    given[name] = value
  end,
})

-- At the end: a variable that nothing has read was meant for the table that the file returns. A function may wait for
-- another layout; a file that returns nothing is there for the variables that it gives values to.
local function finish()
  over = true
  for _, name in ipairs(order) do
    local at = first[name]
    if not read[name] and type(given[name]) ~= "function" and not ag.defines(at.source) then
      ag.fail(at.line, at.source, "the variable " .. plain(name) .. " is given a value that nothing reads",
        "write " .. plain(name) .. " = ... within return { ... }, or leave it out")
    end
  end
end

return {environment = environment, string = defined.string, finish = finish}
