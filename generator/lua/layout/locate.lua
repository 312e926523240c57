-- SPDX-License-Identifier: MIT
-- locate.lua: in which file and on which line a word of the table that a layout returns stands.
--
-- Reads the table constructor behind `return` as far as it is written out; a name there (return layout,
-- groups = groups, armature = arm.armature) is followed to the constructor that it was last given before, and
-- include "arm.lua" into that file. What is computed has the line where its expression begins. Only for
-- error messages.

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
      close = select(2, text:find("]" .. long .. "]", open, true))
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

local written

-- Where brackets close: list.closing[i] is the index of the token that closes the one at i.
local function match_brackets(list)
  local open = {}
  list.closing = {}
  for i, t in ipairs(list) do
    if t.kind == "symbol" and opens[t.value] then
      open[#open + 1] = i
    elseif t.kind == "symbol" and closes[t.value] and #open > 0 then
      list.closing[table.remove(open)] = i
    end
  end
end

-- Where variables are given constructors or what a file returns: {[name] = {index of the { or include, ...}}.
local function assignments(list)
  local given = {}
  for k = 1, #list - 2 do
    local field = symbol(list, k - 1, ".") or symbol(list, k - 1, ",") or symbol(list, k - 1, "{") or
      symbol(list, k - 1, ";")
    local value = symbol(list, k + 2, "{") or name(list, k + 2, "include")
    if name(list, k) and symbol(list, k + 1, "=") and value and not field then
      local word = list[k].value
      given[word] = given[word] or {}
      table.insert(given[word], k + 2)
    end
  end
  return given
end

-- What a name was last given before token i.
local deepest = 20 -- names of names
local function followed(list, i, word)
  if (list.depth or 0) >= deepest then return end
  list.given = list.given or assignments(list)
  local at = list.given[word] or {}
  local low, high = 0, #at -- the last one that opens before i
  while low < high do
    local middle = (low + high + 1) // 2
    if at[middle] < i then low = middle else high = middle - 1 end
  end
  for n = low, 1, -1 do
    local opening = symbol(list, at[n], "{")
    if not opening or (list.closing[at[n]] or #list + 1) < i then
      list.known = list.known or {}
      if list.known[at[n]] == nil then
        list.depth = (list.depth or 0) + 1
        list.known[at[n]] = written(list, at[n]) or false
        list.depth = list.depth - 1
      end
      return list.known[at[n]] or nil
    end
  end
end

-- A constructor from its `{`: {line, source, fields = {[key] = node}}; returns the node and the next token.
local function constructor(list, i)
  local node, position = {line = list[i].line, source = list.source, fields = {}}, 0
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
    local child, behind = written(list, i)
    if child and ends_field(list, behind) then i = behind else child = nil end
    node.fields[key] = {line = line, source = list.source, fields = child and child.fields}
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

local returned_by

-- The value that is written at token i: a constructor, a name and fields of it, an included file. Returns
-- its node, nil where it cannot be known, and the next token.
function written(list, i)
  if symbol(list, i, "{") then return constructor(list, i) end
  if name(list, i, "move_compliantly") and symbol(list, i + 1, "{") then return constructor(list, i + 1) end
  if name(list, i, "include") then
    local bracket = symbol(list, i + 1, "(") and 1 or 0
    local file = list[i + 1 + bracket]
    return file and file.kind == "string" and returned_by(list.files, file.value) or nil, i + 2 + 2 * bracket
  end
  if not name(list, i) then return nil, i + 1 end
  local node = followed(list, i, list[i].value)
  i = i + 1
  while symbol(list, i, ".") and name(list, i + 1) do
    node = node and node.fields and node.fields[list[i + 1].value]
    i = i + 2
  end
  return node, i
end

-- What a file returns, as a node.
function returned_by(files, file)
  if not files.nodes[file] and files.index[file] then
    files.nodes[file] = {line = 1, source = files.index[file], fields = {}} -- while it is read
    local list = tokens(files.texts[file])
    list.files, list.source = files, files.index[file]
    match_brackets(list)
    local i = returned(list)
    local node = {line = i and list[i - 1].line or 1, source = list.source}
    local value, behind = nil, i
    if i then value, behind = written(list, i) end
    if value and (not list[behind] or symbol(list, behind, ";")) then node.fields = value.fields end
    files.nodes[file] = node
  end
  return files.nodes[file]
end

-- sources: list of {name, text}, the layout first. Returns a function from a path of keys to the line and the
-- source's index of the deepest part of the path that is written out.
function Locate.index(sources)
  local files = {nodes = {}, index = {}, texts = {}}
  for k, source in ipairs(sources) do
    files.index[source.name], files.texts[source.name] = k, source.text
  end
  local root = sources[1] and returned_by(files, sources[1].name) or {line = 1, source = 1}
  return function(...)
    local node = root
    for _, key in ipairs {...} do
      local child = node.fields and node.fields[key]
      if not child then break end
      node = child
    end
    return node.line, node.source
  end
end

return Locate
