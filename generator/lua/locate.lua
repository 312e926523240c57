-- locate.lua: on which line of a layout's text a word of the table it returns stands.
--
-- Reads the table constructor behind `return` as far as it is written out; what is computed has the
-- line where its expression begins. Only for error messages.

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
      put(word and "name" or number and "number" or "symbol", word or number or text:sub(at, at))
      skip(at + #(word or number or " ") - 1)
    end
  end
  return list
end

local opens, closes = {["{"] = true, ["("] = true, ["["] = true}, {["}"] = true, [")"] = true, ["]"] = true}

-- A constructor from its `{`: {line, fields = {[key] = node}}; returns the node and the next token.
local function constructor(list, i)
  local node, position = {line = list[i].line, fields = {}}, 0
  i = i + 1
  while list[i] and list[i].value ~= "}" do
    local key, key_line = nil, list[i].line
    local t = list[i]
    if t.kind == "name" and list[i + 1] and list[i + 1].value == "=" and list[i + 2] and list[i + 2].value ~= "=" then
      key, i = t.value, i + 2
    elseif t.kind == "symbol" and t.value == "[" and list[i + 2] and list[i + 2].value == "]" then
      key, i = tonumber(list[i + 1].value) or list[i + 1].value, i + 4
    else
      position = position + 1
      key = position
    end
    local child
    if list[i] and list[i].kind == "symbol" and list[i].value == "{" then
      child, i = constructor(list, i)
    else
      child = {line = list[i] and list[i].line or key_line}
    end
    child.line = key_line
    node.fields[key] = child
    -- to the separator
    local depth = 0
    while list[i] do
      local symbol = list[i].kind == "symbol" and list[i].value
      if depth == 0 and (symbol == "," or symbol == ";" or symbol == "}") then break end
      if opens[symbol] then depth = depth + 1 elseif closes[symbol] then depth = depth - 1 end
      i = i + 1
    end
    if list[i] and list[i].value ~= "}" then i = i + 1 end
  end
  return node, i + 1
end

-- Returns a function from a path of keys to a line: the deepest part of the path that is written out.
function Locate.index(text)
  local list = tokens(text)
  local root
  for i = #list - 1, 1, -1 do
    if list[i].kind == "name" and list[i].value == "return" then
      root = list[i + 1].value == "{" and list[i + 1].kind == "symbol" and constructor(list, i + 1) or {line = list[i].line}
      break
    end
  end
  root = root or {line = 1}
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
