-- SPDX-License-Identifier: MIT
-- reader.lua: what reads a description that users write: values of the kind and the words that fit, links and joints by
-- their names; whatever does not fit is an error with the description's line and the remedy.

local Locate = require "locate"

local function set(list)
  local s = {}
  for _, v in ipairs(list) do s[v] = true end
  return s
end

-- Numbers, then text, then what no table here has (true, a table, ...): of that one, it is an error anyhow, and
-- always of the same kind.
local rank = {number = 1, string = 2, boolean = 3}
local function sorted_keys(t)
  local keys, other = {}, nil
  for k in pairs(t) do
    if rank[type(k)] then keys[#keys + 1] = k elseif other == nil or type(k) > type(other) then other = k end
  end
  table.sort(keys, function(a, b)
    local ka, kb = rank[type(a)], rank[type(b)]
    if ka ~= kb then return ka < kb end
    if ka == 3 then return not a and b end
    return a < b
  end)
  if other ~= nil then keys[#keys + 1] = other end
  return keys
end

-- A key or a value in a message: without its address.
local function shown(v)
  local kind = type(v)
  return (kind == "string" or kind == "number" or kind == "boolean") and tostring(v) or "a " .. kind
end

-- `did you mean "a" or "b"?` of the names near a wrong one, or the first names of the list.
local function suggestion(name, names)
  local quoted = {}
  for k = 1, math.min(12, #names) do quoted[k] = '"' .. names[k] .. '"' end
  local all = "there is " .. table.concat(quoted, ", ") .. (#names > 12 and ", ..." or "")
  return ag.near(shown(name), names, all)
end

local function article(kind)
  local names = {
    string = "text", number = "a number", boolean = "true or false", table = "a table", ["nil"] = "nothing",
    ["function"] = "a function",
  }
  return names[kind] or kind
end

-- The layout under examination: its texts, line index, model.
local Reader = {what = "the layout"}
Reader.__index = Reader

function Reader:fail(path, what, remedy)
  self.line = self.line or Locate.index(self.sources)
  local line, source = self.line(table.unpack(path))
  ag.fail(line, source, (what:gsub("%c", "?")), (remedy:gsub("%c", "?")))
end

local function join(path, ...)
  local r = {table.unpack(path)}
  for _, k in ipairs {...} do r[#r + 1] = k end
  return r
end

local function spelled(path)
  local s = ""
  for _, k in ipairs(path) do
    s = s .. (type(k) == "number" and "[" .. k .. "]" or (s == "" and "" or ".") .. shown(k))
  end
  return s
end

-- The value, which must be of this kind.
function Reader:expect(value, kind, path, what)
  if math.type(value) == "integer" and kind == "number" then return value + 0.0 end
  if type(value) ~= kind then
    self:fail(path, '"' .. spelled(path) .. '" is ' .. article(type(value)) .. ", not " .. (what or article(kind)),
      "write " .. (what or article(kind)) .. " there")
  end
  if kind == "number" and (value ~= value or math.abs(value) == math.huge) then
    self:fail(path, '"' .. spelled(path) .. '" is not finite', "write a finite number there")
  end
  return value
end

-- What is odd, but may be meant.
function Reader:warn(path, what)
  self.line = self.line or Locate.index(self.sources)
  local line, source = self.line(table.unpack(path))
  ag.warn_layout(line, source, (what:gsub("%c", "?")))
end

function Reader:known(t, words, path)
  for _, k in ipairs(sorted_keys(t)) do
    if not set(words)[k] then
      local p = join(path, k)
      if type(k) == "number" then
        self:fail(p, "there is a value without a name in " .. (#path == 0 and self.what or '"' .. spelled(path) .. '"'),
          "name it: " .. suggestion(k, words))
      end
      self:fail(p, 'unknown word "' .. shown(k) .. '"' .. (#path == 0 and "" or ' in "' .. spelled(path) .. '"'),
        suggestion(k, words))
    end
  end
end

-- A list of no more than `most` values; as long as a robot may have links.
local longest_list = 10000

function Reader:list(value, path, what, most)
  self:expect(value, "table", path, "a list of " .. what)
  most = most or longest_list
  if #value > most then
    self:fail(path, '"' .. spelled(path) .. '" is a list of ' .. #value .. ", which is too long",
      "write " .. most .. " at most")
  end
  for k = 1, #value do
    if value[k] == nil then
      self:fail(join(path, k), "value " .. k .. ' of "' .. spelled(path) .. '" is nothing',
        "a variable there, or a field of a table, is nil: give it a value")
    end
  end
  for _, k in ipairs(sorted_keys(value)) do
    if math.type(k) ~= "integer" or k < 1 or k > #value then
      self:fail(join(path, k), '"' .. spelled(path) .. '" is a list of ' .. what .. ', but has a key "' .. shown(k) ..
        '"', (what == "groups" or what == "wrenches") and
        "put each into braces of its own: " .. spelled(path) .. " = { { name = ... } }"
          or "write the values one after the other: { a, b }")
    end
  end
  return value
end

function Reader:one_of(value, choices, path)
  local quoted = {}
  for k, c in ipairs(choices) do quoted[k] = '"' .. c .. '"' end
  self:expect(value, "string", path, table.concat(quoted, " or "))
  if not set(choices)[value] then
    self:fail(path, '"' .. spelled(path) .. '" is "' .. value .. '"', "write " .. table.concat(quoted, " or "))
  end
  return value
end

-- C99 tells names apart by 63 letters.
local longest_name = 63

function Reader:identifier(value, path)
  self:expect(value, "string", path, "a name")
  if #value > longest_name then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " letters",
      "give a name of " .. longest_name .. " at most")
  end
  if not value:match("^[%a_][%w_]*$") then
    self:fail(path, '"' .. value .. '" is not a C identifier', "use letters, digits and _, no digit first")
  end
  if ag.reserved(value) or value:match("^_%u") or value:match("__") or value:match("^M_%u") or value:match("^FP_") or
    value:match("^HUGE_VAL") or value:match("^MATH_ERR") then
    self:fail(path, '"' .. value .. '" is a word of C or C++', "choose another name")
  end
  return value
end

-- A list of names, none of them twice; nil: none. read(value, path) makes of each what it stands for.
function Reader:each_once(value, path, what, read)
  local r, seen = {}, {}
  if value == nil then return r end
  for k, name in ipairs(self:list(value, path, what)) do
    local at = join(path, k)
    r[k] = read(name, at)
    if seen[name] then
      self:fail(at, '"' .. name .. '" is listed twice in "' .. spelled(path) .. '"', "leave one out")
    end
    seen[name] = true
  end
  return r
end

function Reader:link(value, path)
  self:expect(value, "string", path, "the name of a link")
  for k, link in ipairs(self.model.links) do
    if link.name == value then return k, link end
  end
  local names = {}
  for k, link in ipairs(self.model.links) do names[k] = link.name end
  for _, link in ipairs(self.model.links) do
    if link.joint.name == value then
      self:fail(path, '"' .. value .. '" is a joint, not a link',
        'write "' .. link.name .. '", the link that it carries')
    end
  end
  self:fail(path, 'the robot has no link "' .. value .. '"', suggestion(value, names))
end

function Reader:joint(value, path)
  self:expect(value, "string", path, "the name of a joint")
  local names = {}
  for k, link in ipairs(self.model.links) do
    if link.joint.name == value then
      if link.joint.type == "fixed" then
        self:fail(path, 'joint "' .. value .. '" is fixed', "name a joint that moves, or leave it out")
      end
      return k
    end
    if link.joint.name and link.joint.type ~= "fixed" then names[#names + 1] = link.joint.name end
  end
  for _, link in ipairs(self.model.links) do
    if link.name == value and link.joint.name then
      self:fail(path, '"' .. value .. '" is a link, not a joint', link.joint.type == "fixed"
        and 'name a joint that moves; "' .. link.joint.name .. '", which carries this link, is fixed'
        or 'write "' .. link.joint.name .. '", the joint that carries it')
    end
  end
  self:fail(path, 'the robot has no moving joint "' .. value .. '"', suggestion(value, names))
end

-- {joint = number}, as {[link index] = number}; nil: none.
function Reader:joint_numbers(value, path)
  local r = {}
  if value == nil then return r end
  self:expect(value, "table", path, "a table of joints and numbers: { joint_1 = 0.5 }")
  for _, name in ipairs(sorted_keys(value)) do
    if type(name) ~= "string" then
      self:fail(join(path, name), 'there is a value without a joint in "' .. spelled(path) .. '"',
        "name its joint: " .. spelled(path) .. " = { joint_1 = 0.5 }")
    end
    local k = self:joint(name, join(path, name))
    r[k] = self:expect(value[name], "number", join(path, name))
  end
  return r
end

-- The same by the numbers of the joints that move, own_joint(name, path); each as read(number, path, name, joint) has
-- it.
function Reader:by_joint(value, path, own_joint, read)
  local r, numbers = {}, self:joint_numbers(value, path)
  for k, link in ipairs(self.model.links) do
    if numbers[k] then
      local name = link.joint.name
      local at = join(path, name)
      local j = own_joint(name, at)
      r[j] = read(numbers[k], at, name, j)
    end
  end
  return r
end

function Reader:positive(value, path, what)
  self:expect(value, "number", path, what)
  if value <= 0 then self:fail(path, what .. " is not positive", "give a number above zero") end
  return value
end

-- Refuses wrenches and payloads that are called `word`, which is a field beside `what` of the layout.
function Reader:keep_name(L, word, what)
  local function refuse(path, kind)
    self:fail(path, "a " .. kind .. ' cannot be named "' .. word .. '" beside ' .. what, "choose another name")
  end
  for i, w in ipairs(L.wrenches) do
    if w.name == word then refuse({"wrenches", i, "name"}, "wrench") end
  end
  for _, load in ipairs(L.payloads) do
    if load.name == word then refuse(load.path, "payload") end
  end
end

-- A list of `count` numbers.
function Reader:numbers(value, path, count, what)
  self:list(value, path, what)
  if #value ~= count then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " numbers", "write " .. what)
  end
  local r = {}
  for k = 1, count do r[k] = self:expect(value[k], "number", join(path, k)) end
  return r
end

-- Names of fields that a wrench's or a load's name must not take.
Reader.taken = {
  q = true, qd = true, qdd = true, gravity = true, tau_phys = true, tau_art = true, armature = true, b = true,
  mask = true, axes = true, dir = true, inertia = true, base = true, trig = true,
  tau = true, lo = true, hi = true, compliance = true, normal = true, mu = true, friction = true, viscous = true,
}

-- For the files that read one description each.
Reader.join, Reader.suggestion, Reader.spelled, Reader.set, Reader.sorted_keys, Reader.article = join, suggestion,
  spelled, set, sorted_keys, article

return Reader
