-- SPDX-License-Identifier: MIT
-- layout.lua: what a layout asks for, checked and completed. Every word is known here;
-- whatever does not fit is an error with the layout's line and the remedy.


local spatial = require "spatial"
local Locate = require "locate"
local Reader = require "reader"
local Bounds = require "bounds"
local Payload = require "payload"
local Groups = require "groups"
local Outputs = require "output_words"
local Checks = require "checks"
local Weights = require "weights"
local StepWords = require "step_words"
local Transmissions = require "transmissions"
local LinkageWords = require "linkage_words"

local join, spelled, sorted_keys, article = Reader.join, Reader.spelled, Reader.sorted_keys, Reader.article

local Layout = {}

local words = {
  "name", "root", "tips", "locked", "passive", "base", "orientation", "gravity", "armature", "effort",
  "inertials", "joint_limits", "inertia_inputs", "torques", "saturate", "realise", "wrenches", "groups", "ties",
  "friction", "limits", "least_torque", "singularity", "singular_threshold",
  "outputs", "payload", "regressor", "root_acceleration", "step", "contacts", "transmissions", "motors", "linkages",
}

Layout.words = words -- for a layout to begin with (first_layout.lua)

local tensor = {"xx", "xy", "xz", "yy", "yz", "zz"}
local urdf_tensor = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}

-- inertia = { xx = , yy = , zz = , xy = , xz = , yz = }, with the URDF's names ixx .. izz, or the six in its order
local function read_tensor(self, value, path)
  self:expect(value, "table", path, "a rotational inertia: { xx = 0.1, yy = 0.1, zz = 0.1 }")
  if #value > 0 then return self:numbers(value, path, 6, "six numbers: xx, xy, xz, yy, yz, zz") end
  local names = value.ixx ~= nil and urdf_tensor or tensor
  self:known(value, names, path)
  local r = {}
  for k, name in ipairs(names) do
    if value[name] == nil and (k == 1 or k == 4 or k == 6) then
      self:fail(path, '"' .. spelled(path) .. '" has no ' .. name,
        "write xx, yy and zz; xy, xz and yz are 0 unless you name them")
    end
    r[k] = value[name] == nil and 0 or self:expect(value[name], "number", join(path, name))
  end
  return r
end

-- inertials = { link = { mass = , com = , inertia = } }: over the URDF's; what is not named stays.
local function read_inertials(self)
  local raw = self.raw.inertials
  if raw == nil then return end
  self:expect(raw, "table", {"inertials"}, 'a table of links: { link = { mass = 1 } }')
  for _, name in ipairs(sorted_keys(raw)) do
    local path = {"inertials", name}
    local k = self:link(name, path)
    local value = self:expect(raw[name], "table", path, "a table: { mass = 1, com = { 0, 0, 0 } }")
    self:known(value, {"mass", "com", "inertia"}, path)
    local wrong = ag.inertial(k, {
      mass = value.mass ~= nil and self:expect(value.mass, "number", join(path, "mass")) or nil,
      com = value.com ~= nil and self:numbers(value.com, join(path, "com"), 3, "three numbers: { 0, 0, 0.1 }") or nil,
      inertia = value.inertia ~= nil and read_tensor(self, value.inertia, join(path, "inertia")) or nil,
    })
    if wrong then
      self:fail(path, 'inertial of link "' .. name .. '": ' .. wrong,
        "no body has such an inertia: check signs and digits")
    end
  end
end

-- joint_limits = { joint = { lower = , upper = , velocity = , effort = } }: over the URDF's; false takes one away.
local function read_joint_limits(self)
  local raw = self.raw.joint_limits
  if raw == nil then return end
  self:expect(raw, "table", {"joint_limits"}, "a table of joints: { joint_1 = { lower = -1, upper = 1 } }")
  for _, name in ipairs(sorted_keys(raw)) do
    local path = {"joint_limits", name}
    local joint = self.model.links[self:joint(name, path)].joint
    local value = self:expect(raw[name], "table", path, "a table: { lower = -1, upper = 1, velocity = 2, effort = 50 }")
    self:known(value, {"lower", "upper", "velocity", "effort"}, path)
    for _, word in ipairs(sorted_keys(value)) do
      local at = join(path, word)
      if joint.ball and (word == "lower" or word == "upper") then
        self:fail(at, 'joint "' .. name .. '" is one axis of the ball joint "' .. joint.ball_name ..
          '", which has no position of its own to limit', "leave it out")
      end
      if value[word] == false then
        joint[word] = nil
      else
        joint[word] = self:expect(value[word], "number", at, "a number, or false for none")
        if (word == "velocity" or word == "effort") and joint[word] <= 0 then
          self:fail(at, "the " .. word .. ' limit of joint "' .. name .. '" is not positive',
            "give the largest one, or false for none")
        end
      end
    end
    if joint.lower and joint.upper and joint.lower > joint.upper then
      self:fail(path, 'the lower limit of joint "' .. name .. '" is above its upper limit',
        "write the smaller one as lower")
    end
    ag.limits(self:joint(name, path), joint)
  end
end

-- "fixed", "planar" or "floating": the layout's word, or that of the URDF's root joint.
local function base_type(self, root)
  local links = self.model.links
  local first = links[root == 1 and #links > 1 and 2 or root].joint
  local urdf = (first.type == "planar" or first.type == "floating") and first.type or "fixed"
  if self.raw.base == nil then return urdf end
  local said = self:one_of(self.raw.base, {"fixed", "planar", "floating"}, {"base"})
  if urdf ~= "fixed" and said ~= urdf then
    self:fail({"base"}, '"base" is "' .. said .. '", but joint "' .. first.name .. '" of the URDF (line ' ..
      first.line .. ") is " .. urdf, 'write base = "' .. urdf .. '"')
  end
  return said
end

-- The rotor inertias that the robot's file has (MJCF's do), by link; nil: none.
local function armature_of_file(model)
  local values = {}
  for k, link in ipairs(model.links) do
    if link.joint.armature > 0 then values[k] = link.joint.armature end
  end
  return next(values) and values or nil
end

-- What the layout says about the tree, before it is cut to size: {name, root, tips, locked, own_inertia,
-- armature_links}; and the reader for the second part.
function Layout.select(model, raw, sources)
  local self = setmetatable({model = model, raw = raw, sources = sources}, Reader)
  if type(raw) ~= "table" then
    self:fail({}, "the layout returns " .. article(type(raw)) .. ", not a table", "end it with: return { ... }")
  end
  self:known(raw, words, {})
  local s = {root = 1, tips = {}, locked = {}, own_inertia = {}, armature = {}}
  if raw.name ~= nil then s.name = self:identifier(raw.name, {"name"}) end
  if raw.root ~= nil then s.root = self:link(raw.root, {"root"}) end
  s.tips = self:each_once(raw.tips, {"tips"}, "links", function(name, at)
    local tip = self:link(name, at)
    local above = tip
    while above > s.root do above = model.links[above].parent end -- parents come first
    if above ~= s.root then
      self:fail(at, 'tip "' .. name .. '" is not below root "' .. model.links[s.root].name .. '"',
        "name tips below the root, or another root")
    end
    return tip
  end)
  s.locked = self:joint_numbers(raw.locked, {"locked"})
  for _, k in ipairs(sorted_keys(s.locked)) do
    if math.abs(s.locked[k]) > ag.largest_angle() then
      local name = model.links[k].joint.name
      self:fail({"locked", name}, 'joint "' .. name .. '" is locked at ' .. s.locked[k],
        "write its position in rad or m")
    end
  end
  for _, link in ipairs(self:each_once(raw.inertia_inputs, {"inertia_inputs"}, "links",
      function(name, at) return (self:link(name, at)) end)) do
    s.own_inertia[link] = true
  end
  s.payload, s.carries, s.payloads = {}, {}, Payload.read(self, raw.payload)
  for _, p in ipairs(s.payloads) do
    if p.at_run_time then
      s.carries[p.link] = true
    else
      local own = spatial.about_origin(p.mass, p.com, p.inertia)
      s.payload[p.link] = s.payload[p.link] and spatial.add_inertia(s.payload[p.link], own) or own
    end
  end
  s.line = function() -- to blame for a selection that leaves nothing
    self.line = self.line or Locate.index(sources)
    return self.line(raw.locked and "locked" or raw.tips and "tips" or "root")
  end
  s.base = base_type(self, s.root)
  read_inertials(self)
  read_joint_limits(self)
  if raw.orientation ~= nil then self:one_of(raw.orientation, {"quaternion", "matrix"}, {"orientation"}) end

  if raw.armature == "input" then
    for k, link in ipairs(model.links) do s.armature[k] = link.joint.type ~= "fixed" end
  elseif raw.armature == nil then
    s.armature_values = armature_of_file(model)
    for k in pairs(s.armature_values or {}) do s.armature[k] = true end
  else
    s.armature_values = self:joint_numbers(raw.armature, {"armature"})
    for _, k in ipairs(sorted_keys(s.armature_values)) do
      if s.armature_values[k] > ag.largest_inertia then
        self:fail({"armature", model.links[k].joint.name},
          'the armature of joint "' .. model.links[k].joint.name .. '" is larger than ' ..
          ("%g"):format(ag.largest_inertia):gsub("%+", ""),
          "give the rotor inertia at the joint side in kg m^2 (kg for a prismatic joint)")
      end
      if s.armature_values[k] < 0 then
        self:fail({"armature", model.links[k].joint.name},
          'the armature of joint "' .. model.links[k].joint.name .. '" is negative',
          "give a rotor inertia of zero or more [kg m^2]")
      end
      s.armature[k] = s.armature_values[k] > 0
    end
  end
  s.transmissions = Transmissions.read(self, raw, s.armature)
  s.linkages = LinkageWords.read(self)
  self.base = s.base
  s.reader = self
  return s
end

-- What becomes of torques beyond the effort limits: "clamp" (true), "scale", or false: nothing.
local function read_saturate(self)
  local said = self.raw.saturate
  if said == nil then return false end
  if type(said) == "boolean" then return said and "clamp" end
  if type(said) ~= "string" then self:expect(said, "boolean", {"saturate"}, 'true, false, "clamp" or "scale"') end
  return self:one_of(said, {"clamp", "scale"}, {"saturate"})
end

-- {m, h, I} of a link's own inertial, as a flat list.
local function own_inertia(link)
  local own = spatial.about_origin(link.mass, link.com, link.central)
  return {own.m, own.h[1], own.h[2], own.h[3], table.unpack(own.I)}
end

-- How names of the layout find frames, bodies and joints: {frame_of(link, path); by_body(numbers, word): {[link] =
-- number} to {[body] = number}; own_joint(body, path): the joint that it is of; named_joint(name, path)}.
local function finders(self, chain)
  local model, by_link, body_of, find = self.model, {}, {}, {}
  for _, f in ipairs(chain.frames) do by_link[f.link] = f end
  for i = 1, chain.n do body_of[chain.bodies[i].link_index] = i end
  function find.frame_of(link, path)
    local f = by_link[link]
    if not f then
      self:fail(path or {}, 'link "' .. model.links[link].name ..
        '" is not in the part of the robot that root and tips select', "select it, or name another")
    end
    local joint = model.links[link].joint
    if joint.ball and joint.ball < 3 then
      self:fail(path or {}, 'link "' .. model.links[link].name .. '" stands inside of the ball joint "' ..
        joint.ball_name .. '", where nothing is', "name its child or its parent")
    end
    return f
  end
  function find.by_body(numbers, word)
    local r = {}
    for _, link in ipairs(sorted_keys(numbers or {})) do
      local i = body_of[link]
      if not i then
        local joint = model.links[link].joint.name
        self:fail({word, joint}, 'joint "' .. joint .. '" of "' .. word .. '" does not move in this layout',
          "leave it out, or select it")
      end
      r[i] = numbers[link]
    end
    return r
  end
  function find.body(link, at)
    return body_of[link] or
      self:fail(at, 'joint "' .. model.links[link].joint.name .. '" does not move in this layout', "leave it out")
  end
  function find.moves(link) return body_of[link] ~= nil end
  function find.independent(i, path)
    if chain.dependent[i] then
      self:fail(path, 'joint "' .. chain.bodies[i].link.joint.name .. '" is a dependent joint of a linkage',
        "name an independent one, or make this one independent")
    end
  end
  -- a joint that mimics another has no motor of its own
  function find.own_joint(i, path)
    local name = chain.bodies[i].link.joint.name
    find.independent(i, path)
    if chain.leader[chain.joint_of[i]] ~= i then
      self:fail(path, 'joint "' .. name .. '" mimics another',
        'name the joint that leads, "' .. chain.joint_names[chain.joint_of[i]] .. '"')
    end
    return chain.joint_of[i]
  end
  function find.named_joint(name, at)
    return find.own_joint(find.body(self:joint(name, at), at), at)
  end
  return find
end

local function read_gravity(self)
  local given, gravity = self.raw.gravity, {}
  if given == nil or given == "input" then return "input" end
  self:list(given, {"gravity"}, 'three numbers, or "input"')
  if #given ~= 3 then
    self:fail({"gravity"}, '"gravity" has ' .. #given .. " components", "write three: { 0, 0, -9.81 }")
  end
  for k = 1, 3 do gravity[k] = self:expect(given[k], "number", {"gravity", k}) end
  Checks.gravity(self, gravity)
  return gravity
end

-- root_acceleration = "input": the acceleration of a fixed base.
local function read_root_acceleration(self, chain)
  local path = {"root_acceleration"}
  if self.raw.root_acceleration == nil then return nil end
  self:one_of(self.raw.root_acceleration, {"input"}, path)
  if chain.nb > 0 then
    self:fail(path, "the acceleration of a base that moves is a result",
      "leave root_acceleration out, and hold the base by physical rows, whose b is its acceleration")
  end
  return "input"
end

-- The joints' effort limits, the layout's over the URDF's.
local function read_effort(self, chain, find)
  local r = {}
  for j = 1, chain.nj do r[j] = chain.bodies[chain.leader[j]].link.joint.effort end
  local effort = find.by_body(self:joint_numbers(self.raw.effort, {"effort"}), "effort")
  for _, i in ipairs(sorted_keys(effort)) do
    local name = chain.bodies[i].link.joint.name
    if effort[i] <= 0 then
      self:fail({"effort", name}, 'the effort limit of joint "' .. name .. '" is not positive',
        "give the joint's largest torque or force, or leave it out for none")
    end
    r[find.own_joint(i, {"effort", name})] = effort[i]
  end
  return r
end

local function read_torques(self)
  local given, r = self.raw.torques, {}
  if given == nil then return r end
  self:expect(given, "table", {"torques"}, "a table: { physical = true, artificial = true }")
  self:known(given, {"physical", "artificial"}, {"torques"})
  for _, k in ipairs {"physical", "artificial"} do
    if given[k] ~= nil then r[k] = self:expect(given[k], "boolean", {"torques", k}) end
  end
  return r
end

-- The frames of the loads, which have to move.
local function place_payloads(self, payloads, base, frame_of)
  for _, p in ipairs(payloads) do
    p.frame = frame_of(p.link, join(p.path, "frame"))
    if p.frame.body == 0 and base == "fixed" then
      self:fail(join(p.path, "frame"),
        'payload "' .. p.name .. '" is fixed to "' .. p.frame_name .. '", which does not move',
        "name a link that a joint moves, or leave it out")
    end
  end
  return payloads
end

local function read_threshold(self)
  local given = self.raw.singular_threshold
  if given == nil then return nil end
  local threshold = self:expect(given, "number", {"singular_threshold"})
  if threshold <= 0 or threshold >= 1 then
    self:fail({"singular_threshold"}, '"singular_threshold" is ' .. given,
      "give a relative pivot between 0 and 1: 1e-6")
  end
  return threshold
end

-- The rest, with the tree in the generator's frames.
function Layout.resolve(s, chain)
  local self, raw = s.reader, s.reader.raw
  local find, L = finders(self, chain), {passive = {}, inertia_inputs = {}}
  L.gravity, L.root_acceleration = read_gravity(self), read_root_acceleration(self, chain)
  L.armature = raw.armature == "input" and "input" or find.by_body(s.armature_values, "armature")
  L.effort = read_effort(self, chain, find)
  for _, j in ipairs(self:each_once(raw.passive, {"passive"}, "joints", find.named_joint)) do L.passive[j] = true end
  Transmissions.resolve(self, chain, find, L, s.transmissions)
  for k, name in ipairs(raw.inertia_inputs or {}) do
    local link, l = self:link(name, {"inertia_inputs", k})
    L.inertia_inputs[k] = {name = name, id = l.id, frame = find.frame_of(link, {"inertia_inputs", k}),
      default = own_inertia(l)}
  end
  L.torques = read_torques(self)
  L.payloads = place_payloads(self, s.payloads, s.base, find.frame_of)
  L.saturate = read_saturate(self)
  L.realise = raw.realise == nil and "anything" or
    self:one_of(raw.realise, {"anything", "motors", "optimum"}, {"realise"})
  L.optimum, L.asked, L.within = L.realise == "optimum", L.realise, L.effort
  if L.realise == "motors" and Bounds.motors_can(raw) then -- an optimum of motors without limits
    L.optimum, L.realise, L.within = true, "optimum", {}
  end
  Checks.efforts(self, chain, L)
  L.wrenches = Groups.read_wrenches(self, find.frame_of)
  Checks.names_of_loads(self, L)
  L.groups = Groups.read(self, chain, find.frame_of, find.named_joint, L)
  Bounds.read(self, chain, L, find.named_joint)
  Checks.limited(self, L)
  Weights.read(self, L)
  StepWords.read(self, L)
  StepWords.read_contacts(self, L, find.frame_of)
  Checks.soft_contacts(self, chain, L)
  Checks.feet(self, chain, L)
  Checks.hardly_reached(self, chain, L)
  L.singularity = raw.singularity == nil and "damp" or
    self:one_of(raw.singularity, {"damp", "drop", "truncate"}, {"singularity"})
  local nrows = Checks.count_rows(self, L)
  Checks.enumerators(self, chain, L)
  Checks.ties(self, chain, L.groups)
  if L.singularity == "truncate" and nrows > 12 then
    self:fail({"singularity"}, '"truncate" can be used with at most 12 rows, and there are ' .. nrows,
      'use singularity = "damp" or "drop", or fewer rows')
  end
  L.singular_threshold = read_threshold(self)
  L.default_threshold = L.singular_threshold == nil
  L.outputs, L.frame_outputs, L.contributions, L.derivatives = Outputs.read(self, find.frame_of, L)
  L.regressor = self:each_once(raw.regressor, {"regressor"}, "words", function(name, at)
    return self:one_of(name, {"armature", "viscous", "coulomb", "offset"}, at)
  end)
  Checks.scale(self, L)
  L.orientation = raw.orientation or "quaternion"
  if L.contributions then Checks.sources(self, L) end
  if L.root_acceleration then Checks.root_acceleration(self, L) end
  Bounds.check_outputs(self, L)
  Checks.bound(self, chain, L)
  L.family = Outputs.family_frames(self, chain, L)
  function L.fail(what, remedy) self:fail({}, what, remedy) end
  function L.fail_at(path, what, remedy) self:fail(path, what, remedy) end
  function L.warn(what) if next(self.raw) then self:warn({}, what) else ag.warn(0, what) end end
  -- A struct without a field is no C.
  function L.no_output()
    self:fail({"outputs"}, '"outputs" names no output', 'name some: outputs = { "qdd", "tau_ctrl" }')
  end
  return L
end

Layout.widen = Outputs.widen

return Layout
