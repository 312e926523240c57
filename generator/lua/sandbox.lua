-- sandbox.lua: what a layout can call: arithmetic, text and lists. No io, no os, no load, no random, no
-- addresses, and `pairs` in the order of the keys, so that the same layout gives the same header. Text
-- functions that search by pattern are left out: they can run for ever inside one call.

local function sorted_pairs(t)
  local keys = {}
  for k in next, t do keys[#keys + 1] = k end
  table.sort(keys, function(a, b)
    local ka, kb = type(a), type(b)
    if ka ~= kb then return ka < kb end
    if ka == "number" or ka == "string" then return a < b end
    return false
  end)
  local i = 0
  return function()
    i = i + 1
    if keys[i] ~= nil then return keys[i], t[keys[i]] end
  end
end

local function plain(v)
  local kind = type(v)
  if kind == "table" or kind == "function" then return kind end
  return tostring(v)
end

local function pick(library, names)
  local r = {}
  for _, name in ipairs(names) do r[name] = library[name] end
  return r
end

local environment = {
  pairs = sorted_pairs, ipairs = ipairs, tostring = plain, tonumber = tonumber, type = type, error = error,
  assert = assert, select = select,
  math = pick(math, {
    "abs", "ceil", "cos", "sin", "tan", "acos", "asin", "atan", "deg", "rad", "exp", "log", "floor", "fmod", "huge",
    "max", "min", "modf", "pi", "sqrt", "tointeger", "type", "maxinteger", "mininteger",
  }),
  string = pick(string, {"byte", "char", "len", "lower", "upper", "rep", "reverse", "sub"}),
  table = pick(table, {"concat", "insert", "remove", "sort", "unpack", "pack"}),
}

-- Runs a layout's text and returns what it returns; errors go through.
return function(text)
  local chunk, message = load(text, "=layout", "t", environment)
  if not chunk then error(message, 0) end
  local strings = getmetatable("") -- text's methods are the environment's, too
  local all = strings.__index
  strings.__index = environment.string
  local ok, result = pcall(chunk)
  strings.__index = all
  if not ok then error(result, 0) end
  return result
end
