-- SPDX-License-Identifier: MIT
-- file_ties.lua: the closed loops that the robot's file has (MJCF's <connect> and <weld>), as groups behind those of
-- the layout.

local Reader = require "reader"
local Tie = require "ties"

local join = Reader.join

local FileTies = {}

local rows_of = {connect = {"lin_x", "lin_y", "lin_z"}, weld = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}}

-- Those whose links are selected, and between which a joint moves: {{tie, frame, to, rows}}. frames: of reduced trees
-- and of chains, {link, body}.
function FileTies.within(model, frames)
  local by_link, list = {}, {}
  for _, f in ipairs(frames) do by_link[f.link] = f end
  for _, tie in ipairs(model.ties) do
    local frame, to = by_link[tie.frame], by_link[tie.to]
    if frame and to and frame.body ~= to.body then
      list[#list + 1] = {tie = tie, frame = frame, to = to, rows = {table.unpack(rows_of[tie.kind])}}
    end
  end
  return list
end

-- An identifier that no group has.
local function name_of(tie, taken)
  local name = tie.id:gsub("__+", "_"):gsub("^_+", "")
  if not name:match("^%a") or ag.reserved(name) or taken[name:upper()] then name = "tie_" .. name end
  while taken[name:upper()] do name = name .. "_again" end
  taken[name:upper()] = true
  return name
end

-- ties = false, or { maskable = true, compliance = 1e-4 }
local function read_words(self)
  local raw, at = self.raw.ties, {"ties"}
  local r = {}
  if raw == nil then return r end
  if #self.model.ties == 0 then
    self:fail(at, "the robot's file has no ties, as only MJCF has them",
      "leave the word out: a tie of the layout is a group with `to`")
  end
  if raw == false then return nil end
  self:expect(raw, "table", at, "false, or a table: { compliance = 1e-4 }")
  self:known(raw, {"compliance", "maskable"}, at)
  if raw.maskable ~= nil then r.maskable = self:expect(raw.maskable, "boolean", join(at, "maskable")) end
  r.compliance = raw.compliance
  if r.compliance ~= nil and r.compliance ~= "input" then
    self:expect(r.compliance, "number", join(at, "compliance"), 'a number [1/kg, 1/(kg m^2)], or "input"')
    if r.compliance < 0 then
      self:fail(join(at, "compliance"), "the compliance of ties is negative", "give a number of zero (rigid) or more")
    end
    r.compliance = r.compliance + 0.0
  end
  return r
end

-- A planar loop in space has rows along which nothing can move, or that others have said: these are left out.
local function prune(chain, groups, own)
  local row = Tie.redundant(chain, groups)
  while row and own[row.group] do
    table.remove(row.group.rows, row.k)
    if row.group.compliance then table.remove(row.group.compliance, row.k) end
    for i = #groups, 1, -1 do
      if #groups[i].rows == 0 and own[groups[i]] then table.remove(groups, i) end
    end
    row = Tie.redundant(chain, groups)
  end
end

function FileTies.add(self, chain, groups)
  local words = read_words(self)
  if not words then return groups end
  local taken, own = {}, {}
  for _, g in ipairs(groups) do taken[g.name:upper()] = true end
  for _, found in ipairs(FileTies.within(self.model, chain.frames)) do
    local group = {
      name = name_of(found.tie, taken), frame = found.frame, frame_name = self.model.links[found.tie.frame].name,
      to = found.to, to_name = self.model.links[found.tie.to].name, axes = "link", rows = found.rows, kind = "physical",
      over = "wrenches", acceleration = "classical", maskable = words.maskable,
    }
    if words.compliance and words.compliance ~= 0 then
      group.compliance = {}
      for k in ipairs(group.rows) do group.compliance[k] = words.compliance end
    end
    own[group] = true
    groups[#groups + 1] = group
  end
  if not next(own) then return groups end
  prune(chain, groups, own)
  return groups
end

return FileTies
