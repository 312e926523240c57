-- SPDX-License-Identifier: MIT
-- task_numbers.lua: numbers of a task, checked, with errors that say what to give.

local Reader = require "reader"
local join = Reader.join

local Numbers = {}

function Numbers.positive(self, value, path, what)
  if value == nil then self:fail(path, '"' .. path[#path] .. '" is missing', "give " .. what) end
  self:expect(value, "number", path, what)
  if value <= 0 then self:fail(path, '"' .. path[#path] .. '" is ' .. value, "give " .. what) end
  return value + 0.0
end

function Numbers.not_negative(self, value, path, what)
  if value == nil then self:fail(path, '"' .. path[#path] .. '" is missing', "give " .. what) end
  self:expect(value, "number", path, what)
  if value < 0 then self:fail(path, '"' .. path[#path] .. '" is ' .. value, "give " .. what) end
  return value + 0.0
end

function Numbers.list(self, value, count, path, what)
  local list = self:list(value, path, what)
  if #list ~= count then
    self:fail(path, '"' .. path[#path] .. '" has ' .. #list .. " numbers, not " .. count, "write " .. what)
  end
  local r = {}
  for k = 1, count do r[k] = self:expect(list[k], "number", join(path, k)) + 0.0 end
  return r
end

return Numbers
