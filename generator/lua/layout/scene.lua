-- SPDX-License-Identifier: MIT
-- scene.lua: what a scene says, checked and completed: the simulated world around a robot. Floor, tables, walls, boxes,
-- packages and pens; and what a simulation knows of the robot beside the URDF. Lengths are in m, angles in rad, SI
-- throughout.

local Reader = require "reader"
local join = Reader.join

local words = {"timestep", "gravity", "floor", "objects", "robot"}
local robot_words = {
  "position", "rpy", "posture", "armature", "damping", "friction", "torque_constant", "servo", "force_torque", "imu",
  "shapes",
  "no_contact", "self_contact", "balance_inertia",
}
-- What an object is described by, beside the words of all.
local kinds = {
  table = {"height", "size", "position", "yaw", "thickness"},
  wall = {"size", "position", "yaw", "thickness"},
  box = {"size", "position", "rpy"},
  package = {"size", "position", "rpy", "mass", "held_by"},
  pen = {"radius", "length", "position", "rpy", "mass", "held_by"},
}
local kind_names = {"table", "wall", "box", "package", "pen"}
local object_words = {"name", "kind", "surface"}
local shape_kinds = {
  sphere = {"radius"}, capsule = {"radius", "length"}, cylinder = {"radius", "length"}, box = {"size"},
  ellipsoid = {"size"},
}
local shape_names = {"sphere", "capsule", "cylinder", "box", "ellipsoid"}
local largest = 1e4 -- [m], [kg]: what is larger is a wrong unit

-- ---- numbers ----

local function number(self, value, path, what)
  if value == nil then self:fail(path, '"' .. path[#path] .. '" is missing', "give " .. what) end
  value = self:expect(value, "number", path, what)
  if math.abs(value) > largest then
    self:fail(path, '"' .. path[#path] .. '" is ' .. value,
      "give " .. what .. ", " .. ("%g"):format(largest) .. " at most")
  end
  return value
end

local function positive(self, value, path, what)
  value = number(self, value, path, what)
  if value <= 0 then self:fail(path, '"' .. path[#path] .. '" is ' .. value, "give " .. what .. ", more than 0") end
  return value
end

local function not_negative(self, value, path, what)
  value = number(self, value, path, what)
  if value < 0 then self:fail(path, '"' .. path[#path] .. '" is ' .. value, "give " .. what .. ", 0 or more") end
  return value
end

-- A list of of.count numbers, of.what, each read by of.read; missing: of.default, where there is one.
local function numbers(self, value, path, of)
  local count, what, read = of.count, of.what, of.read
  if value == nil and of.default then return of.default end
  if value == nil then self:fail(path, '"' .. path[#path] .. '" is missing', "give " .. what) end
  local list = self:list(value, path, what)
  if #list ~= count then
    self:fail(path, '"' .. path[#path] .. '" has ' .. #list .. " numbers, not " .. count, "write " .. what)
  end
  local r = {}
  for k = 1, count do r[k] = read(self, list[k], join(path, k), what) end
  return r
end

local function point(self, value, path, default)
  return numbers(self, value, path, {count = 3, read = number, default = default, what = "a point: { x, y, z } [m]"})
end

-- The unit quaternion (w x y z) of R = Rz(yaw) Ry(pitch) Rx(roll).
local function quaternion(rpy)
  local c, s = {}, {}
  for k = 1, 3 do c[k], s[k] = math.cos(rpy[k] / 2), math.sin(rpy[k] / 2) end
  return {
    c[1] * c[2] * c[3] + s[1] * s[2] * s[3], s[1] * c[2] * c[3] - c[1] * s[2] * s[3],
    c[1] * s[2] * c[3] + s[1] * c[2] * s[3], c[1] * c[2] * s[3] - s[1] * s[2] * c[3],
  }
end

local function orientation(self, value, path)
  return quaternion(numbers(self, value, path, {
    count = 3, read = number, default = {0.0, 0.0, 0.0}, what = "roll, pitch and yaw: { 0, 0, 1.57 } [rad]",
  }))
end

-- ---- surfaces ----

-- friction = 0.6, or sliding, torsional [m] and rolling [m]; time_constant [s] and damping_ratio: of the contact as a
-- spring and damper (MuJoCo's solref); impedance: how little it gives way to a force at rest (MuJoCo's solimp).
local function surface(self, raw, path)
  local s = {friction = {1.0, 0.005, 0.0001}, dimensions = 3, time_constant = 0.02, damping_ratio = 1.0}
  if raw == nil then return s end
  self:expect(raw, "table", path, "a surface: { friction = 0.6 }")
  self:known(raw, {"friction", "time_constant", "damping_ratio", "impedance"}, path)
  local at = join(path, "friction")
  if type(raw.friction) == "table" then
    s.friction = numbers(self, raw.friction, at, {
      count = 3, read = not_negative, what = "sliding, torsional and rolling friction: { 0.6, 0.005, 0.0001 }",
    })
    s.dimensions = 6
  elseif raw.friction ~= nil then
    s.friction[1] = not_negative(self, raw.friction, at, "a coefficient of friction")
  end
  if raw.time_constant ~= nil then
    s.time_constant = positive(self, raw.time_constant, join(path, "time_constant"), "a time [s]")
  end
  if raw.damping_ratio ~= nil then
    s.damping_ratio = positive(self, raw.damping_ratio, join(path, "damping_ratio"), "a damping ratio (1: critical)")
  end
  if raw.impedance ~= nil then
    s.impedance = positive(self, raw.impedance, join(path, "impedance"),
      "a number below 1, such as 0.9 (hard) or 0.1 (soft)")
    if s.impedance >= 1 then
      self:fail(join(path, "impedance"), '"impedance" is ' .. s.impedance,
        "give a number below 1, such as 0.9 (hard) or 0.1 (soft)")
    end
  end
  return s
end

-- ---- objects ----

-- Each reads one kind: shape, half sizes, position, quaternion; of what is free or held, mass and principal moments.
local read = {}

-- The top's middle is at `position`, `height` above the world's origin.
function read.table(self, raw, path)
  local size = numbers(self, raw.size, join(path, "size"), {
    count = 2, read = positive, what = "the top's two sides: { 1.2, 0.8 } [m]",
  })
  local at = numbers(self, raw.position, join(path, "position"), {
    count = 2, read = number, default = {0.0, 0.0}, what = "the top's middle: { x, y } [m]",
  })
  local height = number(self, raw.height, join(path, "height"), "the height of the top [m]")
  local thickness = positive(self, raw.thickness or 0.04, join(path, "thickness"), "a thickness [m]")
  local yaw = number(self, raw.yaw or 0.0, join(path, "yaw"), "an angle about z [rad]")
  return {shape = "box", size = {size[1] / 2, size[2] / 2, thickness / 2},
    position = {at[1], at[2], height - thickness / 2}, quaternion = quaternion {0, 0, yaw}}
end

-- Its face, whose foot's middle is at `position`, looks along x turned by yaw.
function read.wall(self, raw, path)
  local size = numbers(self, raw.size, join(path, "size"), {
    count = 2, read = positive, what = "the wall's width and height: { 2, 1.5 } [m]",
  })
  local at = numbers(self, raw.position, join(path, "position"), {
    count = 2, read = number, what = "the foot of the wall's face: { x, y } [m]",
  })
  local thickness = positive(self, raw.thickness or 0.1, join(path, "thickness"), "a thickness [m]")
  local yaw = number(self, raw.yaw or 0.0, join(path, "yaw"), "an angle about z [rad]")
  return {
    shape = "box", size = {thickness / 2, size[1] / 2, size[2] / 2}, quaternion = quaternion {0, 0, yaw},
    position = {at[1] - thickness / 2 * math.cos(yaw), at[2] - thickness / 2 * math.sin(yaw), size[2] / 2},
  }
end

function read.box(self, raw, path)
  local size = numbers(self, raw.size, join(path, "size"), {
    count = 3, read = positive, what = "three sides: { 0.3, 0.2, 0.1 } [m]",
  })
  return {
    shape = "box", size = {size[1] / 2, size[2] / 2, size[3] / 2},
    position = point(self, raw.position, join(path, "position")),
    quaternion = orientation(self, raw.rpy, join(path, "rpy")),
  }
end

-- Homogeneous, as the pen: I_x = m (b^2 + c^2) / 12.
function read.package(self, raw, path)
  local o = read.box(self, raw, path)
  o.mass = positive(self, raw.mass, join(path, "mass"), "a mass [kg]")
  local a, b, c = o.size[1], o.size[2], o.size[3]
  o.moments = {o.mass * (b * b + c * c) / 3, o.mass * (a * a + c * c) / 3, o.mass * (a * a + b * b) / 3}
  return o
end

-- A cylinder along its z: I_z = m r^2 / 2, I_x = m (3 r^2 + l^2) / 12.
function read.pen(self, raw, path)
  local r = positive(self, raw.radius, join(path, "radius"), "a radius [m]")
  local l = positive(self, raw.length, join(path, "length"), "a length [m]")
  local m = positive(self, raw.mass, join(path, "mass"), "a mass [kg]")
  local across = m * (3 * r * r + l * l) / 12
  return {
    shape = "cylinder", size = {r, l / 2}, mass = m, moments = {across, across, m * r * r / 2},
    position = point(self, raw.position, join(path, "position")),
    quaternion = orientation(self, raw.rpy, join(path, "rpy")),
  }
end

local function with(list, more)
  local r = {table.unpack(list)}
  for _, word in ipairs(more) do r[#r + 1] = word end
  return r
end

local function read_object(self, raw, path, taken)
  self:expect(raw, "table", path, 'an object: { name = "desk", kind = "table", ... }')
  if raw.kind == nil then
    self:fail(path, "the object has no kind", 'write kind = "table", "wall", "box", "package" or "pen"')
  end
  local kind = self:one_of(raw.kind, kind_names, join(path, "kind"))
  self:known(raw, with(object_words, kinds[kind]), path)
  if raw.name == nil then
    self:fail(path, "the " .. kind .. " has no name", 'give it one: name = "' .. kind .. '_1"')
  end
  local at = join(path, "name")
  local name = self:identifier(raw.name, at)
  if taken[name] then self:fail(at, '"' .. name .. '" is the name of ' .. taken[name], "give each its own name") end
  taken[name] = "another object"
  local o = read[kind](self, raw, path)
  o.name, o.kind, o.surface = name, kind, surface(self, raw.surface, join(path, "surface"))
  if raw.held_by ~= nil then o.held_by = self:link(raw.held_by, join(path, "held_by")) end
  return o
end

-- ---- the robot ----

-- The keys of a table, always in the same order.
local function keys(t)
  local r = {}
  for k in pairs(t) do r[#r + 1] = k end
  table.sort(r, function(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    return type(a) == "string" and a < b or type(a) == "number" and a < b
  end)
  return r
end

-- {joint = value} as a list of {link, value}; nil: none.
local function by_joint(self, raw, path, what, check)
  local r = {}
  if raw == nil then return r end
  self:expect(raw, "table", path, "a table of joints: { joint_1 = " .. what .. " }")
  for k, link in ipairs(self.model.links) do
    local value = link.joint.name and raw[link.joint.name]
    if value ~= nil then
      self:joint(link.joint.name, join(path, link.joint.name))
      r[#r + 1] = {link = k, value = check(self, value, join(path, link.joint.name), what)}
    end
  end
  for _, name in ipairs(keys(raw)) do self:joint(name, join(path, name)) end
  return r
end

-- Where a joint begins; one that follows another has no say.
local function check_posture(self, posture, path)
  for _, entry in ipairs(posture) do
    local joint = self.model.links[entry.link].joint
    local at = join(path, joint.name)
    if joint.mimic then
      self:fail(at, 'joint "' .. joint.name .. '" mimics another',
        'name the joint that leads, "' .. self.model.links[joint.mimic].joint.name .. '"')
    end
    if entry.value < (joint.lower or -math.huge) or entry.value > (joint.upper or math.huge) then
      self:fail(at, ('joint "%s" at %g is beyond its limits %g to %g'):format(joint.name, entry.value,
        joint.lower or -math.huge, joint.upper or math.huge),
        "begin within the limits, or widen them in the layout: joint_limits")
    end
  end
  return posture
end

local function gains(self, value, path)
  return numbers(self, value, path, {count = 2, read = not_negative, what = "two gains: { kp, kd }"})
end

local function read_shape(self, raw, path)
  self:expect(raw, "table", path, 'a shape: { kind = "sphere", radius = 0.02 }')
  if raw.kind == nil then
    self:fail(path, "the shape has no kind", 'write kind = "sphere", "capsule", "cylinder", "box" or "ellipsoid"')
  end
  local kind = self:one_of(raw.kind, shape_names, join(path, "kind"))
  self:known(raw, with({"kind", "position", "rpy", "surface"}, shape_kinds[kind]), path)
  local s = {
    shape = kind, position = point(self, raw.position, join(path, "position"), {0.0, 0.0, 0.0}),
    quaternion = orientation(self, raw.rpy, join(path, "rpy")),
  }
  if raw.surface ~= nil then s.surface = surface(self, raw.surface, join(path, "surface")) end
  if raw.size ~= nil or kind == "box" or kind == "ellipsoid" then
    local size = numbers(self, raw.size, join(path, "size"), {
      count = 3, read = positive, what = "three sides: { 0.3, 0.2, 0.1 } [m]",
    })
    s.size = {size[1] / 2, size[2] / 2, size[3] / 2}
  else
    s.size = {positive(self, raw.radius, join(path, "radius"), "a radius [m]")}
    if kind ~= "sphere" then s.size[2] = positive(self, raw.length, join(path, "length"), "a length [m]") / 2 end
  end
  return s
end

-- shapes = { link = { {kind = ...}, ... } }: in place of those of the URDF; an empty list: none.
local function read_shapes(self, raw, path)
  local r = {}
  if raw == nil then return r end
  self:expect(raw, "table", path, "a table of links: { link = { { kind = \"sphere\", radius = 0.02 } } }")
  for k, link in ipairs(self.model.links) do
    if raw[link.name] ~= nil then
      local list, at = {}, join(path, link.name)
      for i, shape in ipairs(self:list(raw[link.name], at, "shapes")) do
        list[i] = read_shape(self, shape, join(at, i))
      end
      r[#r + 1] = {link = k, shapes = list}
    end
  end
  for _, name in ipairs(keys(raw)) do self:link(name, join(path, name)) end
  return r
end

local function read_robot(self, raw, path)
  self:expect(raw, "table", path, "a table: { posture = { joint_1 = 0.5 } }")
  self:known(raw, robot_words, path)
  local r = {
    position = point(self, raw.position, join(path, "position"), {0.0, 0.0, 0.0}),
    quaternion = orientation(self, raw.rpy, join(path, "rpy")),
    posture = check_posture(self, by_joint(self, raw.posture, join(path, "posture"), "a position [rad, m]", number),
      join(path, "posture")),
    armature = by_joint(self, raw.armature, join(path, "armature"), "a rotor inertia [kg m^2, kg]", not_negative),
    damping = by_joint(self, raw.damping, join(path, "damping"), "viscous friction [N m s/rad, N s/m]", not_negative),
    friction = by_joint(self, raw.friction, join(path, "friction"), "dry friction [N m, N]", not_negative),
    torque_constant = by_joint(self, raw.torque_constant, join(path, "torque_constant"),
      "torque by current [N m/A, N/A]", positive),
    servo = by_joint(self, raw.servo, join(path, "servo"), "{ kp, kd }", gains),
    shapes = read_shapes(self, raw.shapes, join(path, "shapes")),
    no_contact = self:each_once(raw.no_contact, join(path, "no_contact"), "links",
      function(name, at) return (self:link(name, at)) end),
    self_contact = raw.self_contact ~= nil and self:expect(raw.self_contact, "boolean", join(path, "self_contact")),
    balance_inertia = raw.balance_inertia ~= nil and
    self:expect(raw.balance_inertia, "boolean", join(path, "balance_inertia")),
  }
  if raw.force_torque ~= nil then
    local list = type(raw.force_torque) == "string" and {raw.force_torque} or raw.force_torque
    r.force_torque = self:each_once(list, join(path, "force_torque"), "links",
      function(name, at) return (self:link(name, at)) end)
  end
  if raw.imu ~= nil then r.imu = self:link(raw.imu, join(path, "imu")) end
  return r
end

local Scene = {words = words, robot_words = robot_words, kinds = kinds, shape_kinds = shape_kinds}

-- The description, checked: {timestep, gravity, floor, objects, robot}; links by their number. model: the robot as the
-- layout has it.
function Scene.read(raw, sources, model)
  local self = setmetatable({raw = raw, sources = sources, model = model, what = "the scene"}, Reader)
  if type(raw) ~= "table" then self:fail({}, "the scene is not a table", "end it with: return { ... }") end
  self:known(raw, words, {})
  local scene = {objects = {}}
  if raw.timestep ~= nil then
    scene.timestep = positive(self, raw.timestep, {"timestep"}, "a time [s]")
    if scene.timestep > 0.1 then
      self:fail({"timestep"}, '"timestep" is ' .. scene.timestep .. " s",
        "give the time of one step, such as 0.001 [s]")
    end
  end
  if raw.gravity ~= nil then
    scene.gravity = numbers(self, raw.gravity, {"gravity"}, {
      count = 3, read = number, what = "three numbers: { 0, 0, -9.81 } [m/s^2]",
    })
  end
  if raw.floor ~= nil and raw.floor ~= false then
    local floor = raw.floor == true and {} or
      self:expect(raw.floor, "table", {"floor"}, "true, or a table: { height = 0, surface = { friction = 0.8 } }")
    self:known(floor, {"height", "surface"}, {"floor"})
    scene.floor = {
      height = number(self, floor.height or 0.0, {"floor", "height"}, "the floor's height [m]"),
      surface = surface(self, floor.surface, {"floor", "surface"}),
    }
  end
  local taken = {floor = "the floor", world = "MuJoCo's world"}
  for _, name in ipairs {"base_free", "base_x", "base_y", "base_yaw", "world_"} do
    taken[name] = "something else of the model"
  end
  for _, link in ipairs(model.links) do
    taken[link.name] = "a link of the robot"
    if link.joint.name then taken[link.joint.name] = "a joint of the robot" end
  end
  for k, object in ipairs(raw.objects ~= nil and self:list(raw.objects, {"objects"}, "objects", 1000) or {}) do
    scene.objects[k] = read_object(self, object, {"objects", k}, taken)
  end
  local about = raw.robot
  if about == nil then about = {} end
  scene.robot = read_robot(self, about, {"robot"})
  return scene
end

return Scene
