-- locate.lua: on which line of a layout's text a word of the table it returns stands.
--
-- Reads the table constructor behind `return` as far as it is written out; a name there (return layout,
-- groups = groups) is followed to the constructor that it was last given before. What is computed has the line
-- where its expression begins. Only for error messages.

local Locate = {}

local function tokens(text)
  local list, at, line = {}, 1, 1
  local function put(kind, value) list[#list + 1] = {kind = kind, value = value, line = line} end
  local function skip(upto)
    local _, newlines = text:sub(at, upto):gsub("\n", "")
    line, at = line + newlines, upto + 1
  end
  while at <= #text do
    local long = text:match("^%-?%-?%[(=*)%[", at)
    local comment = text:sub(at, at + 1) == "--"
    if long and (comment or text:sub(at, at) == "[") then
      local open, close = text:find("[" .. long .. "[", at, true), nil
      _, close = text:find("]" .. long .. "]", open, true)
      if not comment then put("string", text:sub(open + #long + 2, (close or #text + 1) - #long - 2)) end
      skip(close or #text)
    elseif comment then
      skip((text:find("\n", at, true) or #text + 1) - 1)
    elseif text:find("^%s", at) then
      skip(at)
    elseif text:find("^[\"']", at) then
      local quote, to = text:sub(at, at), at + 1
      while to <= #text and text:sub(to, to) ~= quote do
        to = to + (text:sub(to, to) == "\\" and 2 or 1)
      end
      put("string", text:sub(at + 1, to - 1))
      skip(math.min(to, #text))
    else
      local word = text:match("^[%a_][%w_]*", at)
      local number = not word and text:match("^%.?%d[%w_%.]*", at)
      local same = not word and not number and text:match("^[=~<>]=", at)
      put(word and "name" or number and "number" or "symbol", word or number or same or text:sub(at, at))
      skip(at + #(word or number or same or " ") - 1)
    end
  end
  return list
end

local opens, closes = {["{"] = true, ["("] = true, ["["] = true}, {["}"] = true, [")"] = true, ["]"] = true}

local function symbol(list, i, value)
  return list[i] and list[i].kind == "symbol" and (value == nil or list[i].value == value)
end
local function name(list, i, value)
  return list[i] and list[i].kind == "name" and (value == nil or list[i].value == value)
end
local function ends_field(list, i) return symbol(list, i, ",") or symbol(list, i, ";") or symbol(list, i, "}") end

local constructor

-- Where a constructor ends: the index of its }.
local function closing(list, i)
  local depth = 0
  while list[i] do
    if list[i].kind == "symbol" then
      if opens[list[i].value] then depth = depth + 1 elseif closes[list[i].value] then depth = depth - 1 end
      if depth == 0 then return i end
    end
    i = i + 1
  end
  return #list + 1
end

-- Where variables are given constructors: {[name] = {index of the {, ...}}.
local function assignments(list)
  local given = {}
  for k = 1, #list - 2 do
    local field = symbol(list, k - 1, ".") or symbol(list, k - 1, ",") or symbol(list, k - 1, "{") or symbol(list, k - 1, ";")
    if name(list, k) and symbol(list, k + 1, "=") and symbol(list, k + 2, "{") and not field then
      local word = list[k].value
      given[word] = given[word] or {}
      table.insert(given[word], k + 2)
    end
  end
  return given
end

-- The constructor that a name was last given before token i.
local deepest = 20 -- names of names
local function followed(list, i, word)
  list.given = list.given or assignments(list)
  local at = list.given[word] or {}
  for n = #at, 1, -1 do
    if closing(list, at[n]) < i and (list.depth or 0) < deepest then
      local node = list.known and list.known[at[n]]
      if not node then
        list.depth = (list.depth or 0) + 1
        node = constructor(list, at[n])
        list.depth = list.depth - 1
        list.known = list.known or {}
        list.known[at[n]] = node
      end
      return node
    end
  end
end

-- A constructor from its `{`: {line, fields = {[key] = node}}; returns the node and the next token.
function constructor(list, i)
  local node, position = {line = list[i].line, fields = {}}, 0
  i = i + 1
  while list[i] and not symbol(list, i, "}") do
    local key
    local line = list[i].line
    if name(list, i) and symbol(list, i + 1, "=") then
      key, i = list[i].value, i + 2
    elseif symbol(list, i, "[") and symbol(list, i + 2, "]") then
      local t = list[i + 1]
      key, i = t.kind == "number" and tonumber(t.value) or t.value, i + 4
    else
      position = position + 1
      key = position
    end
    local child
    if symbol(list, i, "{") then
      child, i = constructor(list, i)
    elseif name(list, i) and (ends_field(list, i + 1)) then
      child = followed(list, i, list[i].value)
    end
    node.fields[key] = {line = line, fields = child and child.fields}
    -- to the separator
    local depth = 0
    while list[i] do
      if depth == 0 and ends_field(list, i) then break end
      if list[i].kind == "symbol" then
        if opens[list[i].value] then depth = depth + 1 elseif closes[list[i].value] then depth = depth - 1 end
      end
      i = i + 1
    end
    if list[i] and not symbol(list, i, "}") then i = i + 1 end
  end
  return node, i + 1
end

-- The token behind the last `return` that stands in no function; nil: there is none.
local function returned(list)
  local depth, last = 0, nil
  for i, t in ipairs(list) do
    if t.kind == "name" then
      local w = t.value
      if w == "function" or w == "do" or w == "if" or w == "repeat" then depth = depth + 1 end
      if w == "end" or w == "until" then depth = depth - 1 end
      if w == "return" and depth == 0 then last = i + 1 end
    end
  end
  return last
end

-- Returns a function from a path of keys to a line: the deepest part of the path that is written out.
function Locate.index(text)
  local list = tokens(text)
  local i = returned(list)
  local root = {line = i and list[i - 1].line or 1}
  if i and symbol(list, i, "{") then
    root = constructor(list, i)
    root.line = list[i - 1].line
  elseif i and name(list, i) and (not list[i + 1] or symbol(list, i + 1, ";")) then
    local node = followed(list, i, list[i].value)
    root = {line = root.line, fields = node and node.fields}
  end
  return function(...)
    local node = root
    for _, key in ipairs {...} do
      local child = node.fields and node.fields[key]
      if not child then break end
      node = child
    end
    return node.line
  end
end

return Locate
