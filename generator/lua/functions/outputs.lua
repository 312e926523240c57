-- SPDX-License-Identifier: MIT
-- outputs.lua: the outputs of every function, as output_table.lua declares them. Methods of the state (state.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local declared = require "output_table"

local Outputs = {}

-- Derivatives d<of>_d<by>: of what, its units where linear and angular, and of which shape; by what.
local differentiated = {
  tau = {"N", "N m", "velocities", "joint torque"}, qdd = {"m/s^2", "rad/s^2", "velocities", "joint acceleration"},
  nu = {"N", "N m", "rows", "constraint forces"}, tau_ctrl = {"N", "N m", "joints", "torque to command"},
  q_next = {"m", "rad", "velocities", "joint position at the end of the step"},
  qd_next = {"m/s", "rad/s", "velocities", "joint velocity at the end of the step"},
}
local differentiated_with_base = {
  tau = "wrench on the base and joint torque", qdd = "acceleration of the base and of the joints",
  q_next = "pose of the base, its orientation turned about the axes of the world, and joint position, both at the " ..
    "end of the step",
  qd_next = "twist of the base and joint velocity, both at the end of the step",
}
local by_what = {
  q = {"positions", "joint position"}, qd = {"velocities", "joint velocity"}, tau = {"torques", "joint torque"},
  tau_phys = {"torques", "physical joint torque"}, b = {"set_points", "set-point of each row"},
}
local by_what_with_base = {
  q = "pose of the base, its orientation turned about the axes of the world, and joint position",
  qd = "twist of the base and joint velocity",
}

function Outputs:wanted(name)
  for _, o in ipairs(self.layout.outputs) do
    if o == name then return true end
  end
  return false
end

-- Torques that the motors of linkages share out (loops.lua).
local torques_of_joints = {tau = true, ["tau of gravity"] = true, ["tau of velocities"] = true, tau_ctrl = true}

-- key: of output_table.lua; words: what fills the braces, {of =, id =: what it is named after; kind =, none =}.
-- matrix: {of, by} of one of shape "matrix".
function Outputs:put(key, values, words, matrix)
  local d = declared[key] or error('the output "' .. key .. '" is not declared in output_table.lua')
  words = setmetatable(words or {}, {__index = {base = self.base_name, axes = self.axes}})
  if torques_of_joints[key] then self.joint_torques = values end
  local name = key:match("^%S*")
  if name:sub(-1) == "." then name = name .. words.id end
  local planar = self.chain.nb == 3 and d[1] ~= "scalar" and name:match("^base[._]")
  self:put_record {
    name = name, shape = planar and "planar" or d[1], linear = d[2], angular = d[3],
    doc = d[5]:gsub("{(%w+)}", words), values = values, count = d[1] == "list" and #values or 1, terms = d[4],
    zeroed = d[4] == "torques" or d[4] == "rotors", of = matrix and matrix.of, by = matrix and matrix.by,
  }
end

-- {name, shape, linear, angular, doc, values, count, terms, zeroed}: of `put`, or what another output became
-- (affine.lua).
function Outputs:put_record(o)
  if #o.values > 0 or o.shape ~= "joints" and o.shape ~= "motors" then self.outputs[#self.outputs + 1] = o end
end

-- What the coordinates of the base hold, along the axes of the world. plus: to its linear part; nil: nothing.
function Outputs:put_on_base(key, x, words, plus)
  ag.region("output: " .. key .. (words and words.id or ""), "base")
  local y = self.base:outward(x)
  for k, z in ipairs(plus or {}) do y[k] = y[k] + z end
  self:put(key, y, words)
end

-- d<of>_d<by>; rows: a list of rows; wrench: it is by a given wrench; torque: what tau is called.
function Outputs:put_derivative(of, by, rows, wrench, torque)
  if #rows == 0 or #rows[1] == 0 then return end
  local what, column, moving = differentiated[of], by_what[by], self.chain.nb > 0
  local name = "d" .. of .. "_d" .. by
  ag.region("output: " .. name, name)
  local values = {}
  for _, row in ipairs(rows) do table.move(row, 1, #row, #values + 1, values) end
  local by_text = wrench and "wrench " .. by .. ": force, moment" or by == "tau" and torque or
    moving and by_what_with_base[by] or column[2]
  local of_text = moving and differentiated_with_base[of] or what[4]
  self:put_record {
    name = name, shape = "derivative", linear = what[1], angular = what[2],
    doc = "derivative of the " .. of_text .. " by the " .. by_text .. ": [i][j] is of element i by element j",
    values = values, of = what[3], by = wrench and "wrench" or column[1], terms = "velocities",
  }
end

-- A matrix, of rows. key: of output_table.lua; of, by: of what it has a row each, by what a column each.
function Outputs:put_matrix(key, M, of, by)
  local values = {}
  for _, row in ipairs(M) do table.move(row, 1, #row, #values + 1, values) end
  self:put(key, values, nil, {of = of or "velocities", by = by or "velocities"})
end

-- values: a list, or a function that makes it when the layout asks for this output; words: of `put`.
function Outputs:output(name, values, words)
  if not self:wanted(name) then return end
  if declared[name][1] == "rows" and #self.rows == 0 then return end
  ag.region("output: " .. name, name)
  if type(values) == "function" then values = values() end
  self:put(name, values, words)
end

-- The torques of motors that give tau, by joint, where the layout asks for them; called: what tau is. Where some have
-- been clamped, these.
function Outputs:output_motors(tau, called)
  if not self:wanted("tau_motor") then return end
  ag.region("output: tau_motor", "tau_motor")
  local torques, clamped = self.layout.gears:to_motors(tau), self.clamped_motors
  for m in pairs(clamped and self.layout.motor_at or {}) do torques[m] = clamped[m] end
  self:put("tau_motor", torques, {these = called})
end

-- What bounds the errors of the accelerations vdot, where the layout asks for it; make: by coordinate.
function Outputs:output_bound(vdot, make)
  if not self:wanted("bound") then return end
  ag.region("output: bound", "bound")
  local bounds, nb, n = make(), self.chain.nb, self.chain.nj
  self:output("bound", table.move(bounds, nb + 1, nb + n, 1, {}))
  if self.base then
    ag.region("output: base.bound", "base")
    self:put("base.bound", self.base:bound_along_world(bounds, vdot, self.single))
  end
end

-- What the joints without a motor and the base would have to give, by coordinate.
function Outputs:output_unactuated(values)
  if self.base then self:put_on_base("base.wrench_ctrl", values) end
  for i = 1, self.chain.nj do
    if self.passive[i] then
      local body = self.chain.bodies[self.chain.leader[i]]
      local joint = body.link.joint
      self:put("tau_unactuated. of a " .. (body.prismatic and "slide" or "hinge"), {values[self.chain.nb + i]},
        {id = joint.id, of = joint.name})
    end
  end
end

local function flat(...)
  local list = {}
  for _, v in ipairs {...} do
    for k = 1, 3 do list[#list + 1] = v[k] end
  end
  return list
end

-- acc, twist and pose of the frames that the layout names.
function Outputs:output_frames(motions, vdot)
  local o = self.layout.frame_outputs
  for _, f in ipairs(o.acc) do
    ag.region("output: acceleration of " .. f.name, f.id)
    local full = self:with_vdot(motions, vdot)
    self:output_acceleration(f, full, o.acceleration, "acc.")
  end
  for _, f in ipairs(o.twist) do self:output_twist(f) end
  for _, f in ipairs(o.pose) do self:output_pose(f) end
end

-- prefix: "acc." or, for J-dot q-dot, "jdqd."
function Outputs:output_acceleration(f, motions, kind, prefix)
  local body = f.frame.body
  local twist = kind == "spatial" and self:twists()[body] or nil
  local a = constraints.frame_acceleration(f.frame, motions[body], twist, kind)
  local lin, ang = self:to_base(body, a.lin) + self.gravity, self:to_base(body, a.ang)
  self:put(prefix, flat(lin, ang), {id = f.id, of = f.name, kind = kind})
end

-- What accelerations added to a motion (motion.lua) add to that of a frame: by acc.FRAME's elements.
function Outputs:added_acceleration(f, added)
  local body, d = f.frame.body, added[f.frame.body]
  return flat(self:to_base(body, d.v + spatial.cross(d.w, f.frame.p)), self:to_base(body, d.w))
end

function Outputs:output_twist(f)
  ag.region("output: twist of " .. f.name, f.id)
  local t = self:twists()[f.frame.body]
  local v = t.v + spatial.cross(t.w, f.frame.p)
  self:put("twist.", flat(self:to_base(f.frame.body, v), self:to_base(f.frame.body, t.w)), {id = f.id, of = f.name})
end

function Outputs:body_poses()
  if not self.poses then self.late_poses = self.late_poses or motion.poses(self.robot) end
  return self.poses or self.late_poses
end

function Outputs:output_pose(f)
  ag.region("output: pose of " .. f.name, f.id)
  local body = self:body_poses()[f.frame.body]
  local p = body.p + body.R * f.frame.p
  local Rf = body.R * f.frame.R
  self:put("pose. on a " .. (self.base and "moving" or "fixed") .. " base", flat(p, Rf[1], Rf[2], Rf[3]),
    {id = f.id, of = f.name})
end

-- Declares outputs and status: torques are zero unless everything that came in and goes out is finite.
function Outputs:finish_outputs()
  if #self.outputs == 0 then self.layout.no_output() end
  ag.region("test: are all inputs and outputs finite?", "finite")
  local results = {}
  for _, o in ipairs(self.outputs) do
    local unbounded = o.name == "lo" or o.name == "hi" or o.name == "bound" or o.name == "base.bound"
    for _, x in ipairs(unbounded and {} or o.values) do results[#results + 1] = x end
  end
  local finite = self.sizes and self:none_overflows(results)
  if not self.sizes then finite = self:follows_from_turns(results) end
  if finite == nil then
    finite = scalar.all_finite(table.move(results, 1, #results, #self.all_inputs + 1,
      table.move(self.all_inputs, 1, #self.all_inputs, 1, {})))
  end
  local usable = finite
  if self.not_closed then usable = scalar.land(finite, scalar.lnot(self.not_closed)) end
  for _, o in ipairs(self.outputs) do
    if o.zeroed then
      local values = {}
      for k, x in ipairs(o.values) do values[k] = scalar.select(usable, x, 0) end
      o = setmetatable({values = values}, {__index = o})
    end
    ag.output(o)
  end
  for _, s in ipairs(self.statuses) do
    ag.status(s.name, scalar.land(finite, s.condition))
  end
  ag.status("NOT_FINITE", scalar.lnot(finite))
end

-- dlambda_d<by>, of a step's impulses, as a list by rows.
function Outputs:put_impulses_by(by, rows, wrench)
  local values = {}
  for _, row in ipairs(rows) do table.move(row, 1, #row, #values + 1, values) end
  if #values == 0 then return end
  local by_text = wrench and "wrench " .. by .. ": force, moment" or
    self.chain.nb > 0 and by_what_with_base[by] or by_what[by][2]
  self:put_record {
    name = "dlambda_d" .. by, shape = "list", linear = "1", angular = "1", values = values, count = #values,
    terms = "velocities",
    doc = "derivative of the impulses by the " .. by_text .. ": " .. #rows[1] .. " numbers of each impulse",
  }
end

return Outputs
