-- SPDX-License-Identifier: MIT
-- groups.lua: the words of a layout's groups of rows and of its wrenches.

local Reader = require "reader"
local Bounds = require "bounds"
local Optimum = require "optimum"
local Limbs = require "limbs"
local FileTies = require "file_ties"

local join, suggestion, set = Reader.join, Reader.suggestion, Reader.set

local Groups = {}

local row_names = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}
-- Work grows with the cube of the rows.
local most_rows, most_wrenches = 200, 200
Groups.most_rows = most_rows
-- Groups where the layout names none: at the ends of the limbs (limbs.lua). L.tell_choice warns of what
-- was chosen, where another choice was possible.
local function default_groups(self, chain, frame_of, L)
  if chain.n == 0 then -- the base is all there is
    local f = chain.frames[1]
    L.default_frames = {f}
    return {{
      name = "tool", frame = f, frame_name = self.model.links[f.link].name, axes = "base", rows = row_names,
      kind = "artificial", priority = 1, over = "wrenches", acceleration = "classical", maskable = true,
    }}
  end
  local links, joints, groups, quoted = self.model.links, {}, {}, {}
  local function parent(i) return chain.bodies[i].parent end
  local limbs = Limbs.find(links, chain.frames, parent, chain.n)
  for i = 1, chain.n do joints[chain.bodies[i].link.joint.id:upper()] = true end
  local reduced = chain.reduced
  local rows, all = Limbs.rows(limbs, {
    bodies = reduced.bodies, frames = reduced.frames, nb = chain.nb,
    joint = function(i) return chain.bodies[i].link.joint end, ties = FileTies.within(self.model, reduced.frames),
  })
  local names = Limbs.names(links, limbs, joints)
  L.default_frames = {}
  local contacts, legs = 0, 0
  for k, limb in ipairs(limbs) do
    local foot = chain.nb > 0 and limb.leg and #limbs > 1
    if foot then contacts = contacts + 1 end
    if limb.leg then legs = legs + 1 end
    L.default_frames[k] = frame_of(limb.link)
    if k <= 8 then quoted[k] = '"' .. links[limb.link].name .. '"' end
    if rows and #rows[k] > 0 then
      groups[#groups + 1] = {
        name = names[k], frame = frame_of(limb.link), frame_name = links[limb.link].name, axes = "base", rows = rows[k],
        kind = foot and "physical" or "artificial", priority = not foot and 1 or nil, over = "wrenches",
        acceleration = "classical", maskable = true,
      }
    end
  end
  if Limbs.leaves(links, chain.frames) > 1 or not all then
    local where = table.concat(quoted, ", ") .. (#limbs > 8 and " and " .. #limbs - 8 .. " more" or "")
    local ends = #limbs == 1 and "the end of the limb, " or "the ends of the limbs, "
    local what
    if #limbs == 0 then
      what = "there are no constraint rows: the joints turn wheels or rotors only"
    elseif not rows then
      what = "there are no constraint rows, as " .. #limbs .. " limbs are too many; kinematics are those of " ..
        ends .. where
    else
      what = "constraint rows (" .. Limbs.count_rows(rows, all) .. ", maskable" ..
        (contacts == 0 and "" or contacts == #limbs and ", physical" or ", physical at the feet") ..
        ") and kinematics are at " .. ends .. where
    end
    if not all then
      what = what .. "; no more of the six directions are possible at once" ..
        (#limbs == 1 and " than " .. table.concat(rows[1], ", ") or "")
    end
    if legs > 1 and chain.nb == 0 then
      what = what .. "; the base is fixed, as in the URDF (base = \"floating\" frees it)"
    end
    local said = next(self.raw) and "the layout has no groups: " or "without a layout, "
    local choice = said .. what ..
      "; to choose, name frames in groups of a layout: achdgen --init prints one to begin with"
    function L.tell_choice()
      if next(self.raw) then self:warn({}, choice) else ag.warn(0, choice) end
      L.tell_choice = nil
    end
  end
  return groups
end

-- A group with `to` is a tie: rows of the motion of `to` relative to `frame`.
local function read_tie(self, g, group, frame_of, path)
  local named = 'tie "' .. group.name .. '"'
  group.to, group.to_name = frame_of(self:link(g.to, join(path, "to")), join(path, "to")), g.to
  if group.to.body == group.frame.body then
    self:fail(join(path, "to"),
      named .. ' is between "' .. g.frame .. '" and "' .. g.to .. '", which are rigidly connected',
      "tie links with a moving joint between them")
  end
  if g.axes ~= nil then
    self:fail(join(path, "axes"), named .. " has its rows along the axes of its frame",
      "leave axes out, and name as frame the link whose axes are meant")
  end
  if g.acceleration ~= nil then
    self:fail(join(path, "acceleration"), named .. " always has the second derivative of the residual as b",
      "leave acceleration out")
  end
  if type(g.rows) == "number" then
    self:fail(join(path, "rows"), named .. " has no free directions", 'name its rows: rows = { "lin_x", "lin_y" }')
  end
end

-- What b is of: the "classical" or the "spatial" acceleration; or "rate", that of the velocity along the row, whose
-- axis y may turn with the link:
--   d/dt (y . v) = y . a + (w x y) . v = y . (a - w x v)
-- which is the spatial acceleration along axes of the link, and the classical one along axes that do not turn.
local function read_acceleration(self, g, group, path)
  local linked, at = group.axes == "link", join(path, "acceleration")
  if g.acceleration == nil then return g.contact and linked and "spatial" or "classical" end
  local said = self:one_of(g.acceleration, {"classical", "spatial", "rate"}, at)
  if said ~= "rate" then return said end
  if group.axes == "input" then
    self:fail(at, 'group "' .. group.name .. '" has axes that come at run time: how they turn is not known',
      'write axes = "link" or "base", or add -(w x y) . v of row y, whose axes turn with w, to b')
  end
  return linked and "spatial" or "classical"
end

-- A group with `joint` or `joints`: a row along each joint's axis, whose b is the joint's acceleration and whose nu
-- is a joint torque (force). own_joint(name, path): the joint's number.
local function read_joint_group(self, chain, g, group, own_joint, path)
  local named = 'group "' .. group.name .. '"'
  if g.joint ~= nil and g.joints ~= nil then
    self:fail(join(path, "joints"), named .. " has joint and joints", "put all into joints")
  end
  for _, word in ipairs {"frame", "to", "rows", "axes", "acceleration", "friction", "threshold", "contact"} do
    if g[word] ~= nil then
      self:fail(join(path, word), '"' .. word .. '" does not go with rows on joints, which ' .. named .. " has",
        (word == "friction" or word == "threshold") and
          "leave it out; friction of joints is a word of the layout: friction = { joint_1 = 2.5 }"
          or "leave it out: the rows are along the joints' axes, or make a second group")
    end
  end
  group.joints = g.joint ~= nil and
    {own_joint(self:expect(g.joint, "string", join(path, "joint"), "the name of a joint"), join(path, "joint"))}
    or self:each_once(g.joints, join(path, "joints"), "joints", own_joint)
  if #group.joints == 0 then
    self:fail(join(path, "joints"), named .. " has no joints", "name some, or leave the group out")
  end
  group.rows, group.axes, group.acceleration, group.called = {}, "joint", "joint", {}
  for k, j in ipairs(group.joints) do
    local joint = chain.bodies[chain.leader[j]].link.joint
    group.rows[k], group.called[k] = joint.id, joint.name
  end
end

-- group.frame: of the link that g.frame names; of a tie also what it is to.
local function read_frame(self, g, group, frame_of, path)
  if g.frame == nil then
    self:fail(path, 'group "' .. group.name .. '" has no frame',
      'name a link: frame = "' .. self.model.links[#self.model.links].name .. '"')
  end
  local link = self:link(g.frame, join(path, "frame"))
  group.frame, group.frame_name = frame_of(link, join(path, "frame")), g.frame
  if g.to ~= nil then
    read_tie(self, g, group, frame_of, path)
  elseif group.frame.body == 0 and self.base == "fixed" then
    self:fail(join(path, "frame"),
      'frame "' .. g.frame .. '" of group "' .. group.name .. '" does not move: it is fixed to the base',
      'name a link that a joint moves, or let the base move: base = "floating" or "planar"')
  end
end

-- rows = 2: so many directions, given at run time.
local function read_free_directions(self, g, group, path)
  local rows = g.rows
  self:expect(rows, "number", join(path, "rows"))
  if rows ~= math.floor(rows) or rows < 1 or rows > 6 then
    self:fail(join(path, "rows"), 'group "' .. group.name .. '" asks for ' .. rows .. " free directions",
      "write 1 to 6, or make a second group")
  end
  if g.axes ~= nil then
    self:fail(join(path, "axes"),
      'group "' .. group.name .. '" has free directions, which are given along the axes of the base',
      "leave axes out")
  end
  group.free, group.rows = true, {}
  for k = 1, math.tointeger(rows) do group.rows[k] = tostring(k) end
end

-- rows = { "lin_x", ... }
local function read_named_rows(self, rows, group, path)
  self:list(rows, join(path, "rows"), "rows, or a number of free directions")
  if #rows > 6 then
    self:fail(join(path, "rows"), 'group "' .. group.name .. '" has ' .. #rows .. " rows",
      "at most 6 per group: make a second group")
  end
  if #rows == 0 then
    self:fail(join(path, "rows"), 'group "' .. group.name .. '" has no rows', "name some, or leave the group out")
  end
  local seen = {}
  group.rows = {}
  for k, row in ipairs(rows) do
    local at = join(path, "rows", k)
    self:expect(row, "string", at, 'a row: "lin_x" .. "ang_z"')
    if not set(row_names)[row] then self:fail(at, 'unknown row "' .. row .. '"', suggestion(row, row_names)) end
    if seen[row] then
      self:fail(at, 'row "' .. row .. '" is listed twice in group "' .. group.name .. '"', "leave one out")
    end
    seen[row], group.rows[k] = true, row
  end
end

-- How soft the rows of a group are, A^T a - b = -c nu: c of all, of rows by name, or "input"; nil: all are rigid.
local function read_compliance(self, g, group, path)
  if g.compliance == nil then return nil end
  local at, list, soft = join(path, "compliance"), {}, false
  local function one(value, where)
    if value == "input" then return value end
    self:expect(value, "number", where, 'a number [1/kg, 1/(kg m^2)], or "input"')
    if value < 0 then
      self:fail(where, "the compliance of " .. 'group "' .. group.name .. '" is negative',
        "give a number of zero (rigid) or more")
    end
    return value + 0.0
  end
  local named = type(g.compliance) == "table"
  local names = group.called or group.rows -- joints by the URDF's names
  if named then self:known(g.compliance, names, at) end
  for k, row in ipairs(names) do
    local value, where = g.compliance, at
    if named then value, where = g.compliance[row], join(at, row) end
    list[k] = value == nil and 0 or one(value, where)
    soft = soft or list[k] ~= 0
  end
  return soft and list or nil
end

function Groups.read(self, chain, frame_of, own_joint, L)
  local raw, groups, names = self.raw.groups, {}, {}
  if raw == nil then return FileTies.add(self, chain, default_groups(self, chain, frame_of, L)) end
  for i, g in ipairs(self:list(raw, {"groups"}, "groups", most_rows)) do
    local path = {"groups", i}
    self:expect(g, "table", path, "a group: { name = ..., frame = ..., rows = ... }")
    self:known(g, {"name", "frame", "to", "axes", "rows", "kind", "acceleration", "maskable", "over", "compliance",
      "weights", "joint", "joints", "priority", "wanted", "weight", "upper", table.unpack(Bounds.group_words)}, path)
    if g.name == nil then self:fail(path, "group " .. i .. " has no name", 'give it one: name = "tool"') end
    local group = {name = self:identifier(g.name, join(path, "name"))}
    if names[group.name:upper()] then
      self:fail(join(path, "name"), 'two groups are named "' .. group.name .. '"', "give each its own name")
    end
    names[group.name:upper()] = true
    local on_joints = g.joint ~= nil or g.joints ~= nil
    if on_joints then
      read_joint_group(self, chain, g, group, own_joint, path)
    else
      read_frame(self, g, group, frame_of, path)
    end
    group.axes = group.axes or g.to ~= nil and "link" or g.axes == nil and "base"
      or self:one_of(g.axes, {"base", "link", "input"}, join(path, "axes"))
    group.kind = g.kind == nil and ((g.to or g.contact) and "physical" or "artificial")
      or self:one_of(g.kind, {"artificial", "physical"}, join(path, "kind"))
    group.over = g.over == nil and "wrenches" or self:one_of(g.over, {"wrenches", "yields"}, join(path, "over"))
    group.acceleration = group.acceleration or read_acceleration(self, g, group, path)
    group.maskable = g.maskable ~= nil and self:expect(g.maskable, "boolean", join(path, "maskable"))
    local at_point = g.contact and not (L.optimum and type(g.contact) == "table" and g.contact.points)
    if type(g.rows) == "number" and not on_joints then
      read_free_directions(self, g, group, path)
    elseif not on_joints then
      local all = at_point and {"lin_x", "lin_y", "lin_z"} or row_names
      read_named_rows(self, g.rows == nil and all or g.rows, group, path)
    end
    if L.optimum then
      Optimum.read_group(self, g, group, path, L)
    else
      Optimum.refuse_group(self, g, path)
      group.compliance = read_compliance(self, g, group, path)
      Bounds.read_group(self, g, group, path)
    end
    groups[i] = group
  end
  return FileTies.add(self, chain, groups)
end

function Groups.read_wrenches(self, frame_of)
  local wrenches, names = {}, {}
  if self.raw.wrenches == nil then return wrenches end
  for i, w in ipairs(self:list(self.raw.wrenches, {"wrenches"}, "wrenches", most_wrenches)) do
    local path = {"wrenches", i}
    self:expect(w, "table", path, "a wrench: { name = ..., frame = ..., kind = ... }")
    self:known(w, {"name", "frame", "kind"}, path)
    if w.name == nil then self:fail(path, "wrench " .. i .. " has no name", 'give it one: name = "push"') end
    local name = self:identifier(w.name, join(path, "name"))
    if self.taken[name] then
      self:fail(join(path, "name"), 'a wrench cannot be named "' .. name .. '": another field is',
        "choose another name")
    end
    if names[name] then
      self:fail(join(path, "name"), 'two wrenches are named "' .. name .. '"', "give each its own name")
    end
    names[name] = true
    if w.frame == nil then
      self:fail(path, 'wrench "' .. name .. '" has no frame', "name the link it acts on: frame = ...")
    end
    local link = self:link(w.frame, join(path, "frame"))
    if w.kind == nil then
      self:fail(path, 'wrench "' .. name .. '" has no kind',
        'kind = "physical" (the environment exerts it) or "artificial" (the motors are to exert it)')
    end
    wrenches[i] = {
      name = name, frame = frame_of(link, join(path, "frame")), frame_name = w.frame,
      kind = self:one_of(w.kind, {"physical", "artificial"}, join(path, "kind")),
    }
  end
  return wrenches
end

return Groups
