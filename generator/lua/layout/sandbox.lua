-- sandbox.lua: what a layout can call: arithmetic, text, lists, and include. No io, no os, no load, no random, no
-- addresses, and `pairs` in the order of the keys, so that the same layout gives the same header on any
-- machine. script.c bounds instructions, time and memory; what could run for long inside one call is written
-- here in Lua, where instructions count, or left out.

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

-- The functions of a library that are the same here, our own, and those that say why they are left out.
local function library(name, from, same, own, left_out, why)
  local r = {}
  for _, word in ipairs(same) do r[word] = from[word] end
  for word, f in pairs(own) do r[word] = f end
  for _, word in ipairs(left_out) do
    r[word] = function() error(name .. "." .. word .. " is left out of layouts: " .. why, 2) end
  end
  return r
end

-- A task of the task frame formalism; task.lua says what it may contain.
local function move_compliantly(task) return {formalism = "move_compliantly", task = task} end

return {
  move_compliantly = move_compliantly,
  pairs = sorted_pairs, ipairs = ipairs, tostring = plain, tonumber = tonumber, type = type, error = error,
  assert = assert, select = select, include = ag.include,
  math = library("math", math, {
    "abs", "ceil", "deg", "rad", "floor", "fmod", "huge", "max", "min", "modf", "pi", "sqrt", "tointeger", "type",
    "maxinteger", "mininteger", "ult",
  }, {sin = sin, cos = cos, tan = tan}, {"acos", "asin", "atan", "exp", "log"}, "its last digit differs between machines"),
  string = library("string", string, {"char", "len", "lower", "upper", "reverse", "sub"}, {rep = rep, byte = byte},
    {"find", "format", "gmatch", "gsub", "match"}, "patterns can take for ever"),
  table = library("table", table, {"pack"}, {concat = concat, unpack = unpack, insert = insert, remove = remove, sort = sort}, {"move"},
    "write a loop"),
}
