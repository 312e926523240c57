-- SPDX-License-Identifier: MIT
-- output_words.lua: what a layout says about outputs, and the frames of the functions around the solve.

local Reader = require "reader"
local Derivatives = require "derivative_words"

local suggestion, set, sorted_keys = Reader.suggestion, Reader.set, Reader.sorted_keys

local Outputs = {}

local output_names = {"qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "pivot_min", "pivot",
  "residual", "bound", "scale", "Z", "tau_motor"}

local function no_frames() return {acc = {}, twist = {}, pose = {}, jac = {}, acceleration = "classical"} end

function Outputs.read(self, frame_of, L)
  local raw = self.raw.outputs
  if raw == nil then return {"qdd", "nu", "tau_ctrl", "pivot_min"}, no_frames() end
  self:expect(raw, "table", {"outputs"}, "a table of outputs")
  local asked, frames, contributions, derivatives = {}, no_frames(), nil, nil
  local known = Derivatives.names(L.wrenches)
  for _, k in ipairs(sorted_keys(raw)) do
    local path = {"outputs", k}
    if type(k) == "number" then
      local name = self:expect(raw[k], "string", path, "the name of an output")
      if set(known)[name] then
        local why, remedy = Derivatives.missing(name, L)
        if why then self:fail(path, 'output "' .. name .. '" cannot be made: ' .. why, remedy) end
        derivatives = derivatives or {}
        derivatives[name] = true
      elseif not set(output_names)[name] then
        if name ~= "acceleration" and frames[name] then
          self:fail(path, 'output "' .. name .. '" needs frames',
            name .. ' = { "' .. self.model.links[#self.model.links].name .. '" }')
        end
        self:fail(path, 'unknown output "' .. name .. '"',
          suggestion(name, table.move(known, 1, #known, #output_names + 1,
            table.move(output_names, 1, #output_names, 1, {}))))
      end
      if asked[name] then self:fail(path, 'output "' .. name .. '" is listed twice', "leave one out") end
      if name == "tau_motor" and not L.motors then
        self:fail(path, 'output "tau_motor" needs motors that are not joints', 'add transmissions = { { motor = ' ..
          '"m1", joint = "joint_1", ratio = 100 } }, or leave it out: tau_ctrl is theirs')
      end
      asked[name] = true
    elseif k == "contributions" then
      contributions = {}
      for _, name in ipairs(self:each_once(raw[k], path, "outputs",
          function(name, at) return self:one_of(name, {"qdd", "nu", "tau_ctrl"}, at) end)) do
        contributions[name] = true
      end
    elseif k == "acceleration" then
      frames.acceleration = self:one_of(raw[k], {"classical", "spatial"}, path)
    elseif frames[k] then
      frames[k] = self:each_once(raw[k], path, "frames", function(name, at)
        local link, l = self:link(name, at)
        return {name = name, id = l.id, frame = frame_of(link, at)}
      end)
    else
      self:known({[k] = true}, {"acc", "twist", "pose", "jac", "acceleration", "contributions"}, {"outputs"})
    end
  end
  local list = {} -- in one order, whatever the layout's
  for _, name in ipairs(output_names) do
    if asked[name] then list[#list + 1] = name end
  end
  return list, frames, contributions, derivatives
end

-- The frames of fk (pose), fvk (twist), fak (acc), jac and jdqd (jac): those that `outputs` names, else
-- those of the groups, else the ends of the limbs, else the leaves.
function Outputs.family_frames(self, chain, L)
  local default, seen, has_child = {}, {}, {}
  for _, g in ipairs(L.groups) do
    if g.frame and not seen[g.frame.link] then
      default[#default + 1] = g.frame
      seen[g.frame.link] = true
    end
  end
  for _, f in ipairs(chain.frames) do has_child[self.model.links[f.link].parent] = true end
  for _, f in ipairs(#L.groups == 0 and L.default_frames or {}) do default[#default + 1] = f end
  for _, f in ipairs(#default == 0 and chain.frames or {}) do
    if not has_child[f.link] and (f.body > 0 or chain.n == 0) then default[#default + 1] = f end
  end
  for k, f in ipairs(default) do
    local link = self.model.links[f.link]
    default[k] = {name = link.name, id = link.id, frame = f}
  end
  local family = {acceleration = L.frame_outputs.acceleration}
  for _, word in ipairs {"pose", "twist", "acc", "jac"} do
    family[word] = #L.frame_outputs[word] > 0 and L.frame_outputs[word] or default
  end
  return family
end

-- Where the layout names an output, as a path for a message; nil: it does not.
function Outputs.path_of(self, name)
  for k, o in pairs(self.raw.outputs or {}) do
    if o == name then return {"outputs", k} end
  end
  return nil
end

-- What a check of the numbers (check.c) needs beside what the layout asks for: the outputs that make the
-- equations, and the frames of groups and wrenches throughout the family.
function Outputs.widen(s, chain, L)
  local asked, all = set(L.outputs), {}
  for _, name in ipairs {"qdd", "nu", "tau_ctrl", "pivot_min"} do asked[name] = true end
  if #L.joint_groups > 0 or L.gears and L.gears:damps() then asked.tau_friction = true end -- viscous friction
  for _, name in ipairs(output_names) do
    if asked[name] then all[#all + 1] = name end
  end
  L.outputs = all
  L.derivatives = {C = true, Cv = true, Ctv = true} -- of manipulability all, as it names none
  local users = {}
  for _, g in ipairs(L.groups) do
    if g.frame then users[#users + 1] = g end
    if g.to then users[#users + 1] = {frame = g.to} end
  end
  for _, w in ipairs(L.wrenches) do
    if w.frame.body > 0 or chain.nb > 0 then users[#users + 1] = w end
  end
  L.family = Outputs.family_frames(s.reader, chain, {groups = users, frame_outputs = no_frames()})
end

return Outputs
