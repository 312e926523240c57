-- outputs.lua: the outputs of every function. Methods of the state (state.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"

local Outputs = {}

-- The terms that are summed up in each output (ag_terms in quantity.h), by its name or the first part of it; "velocities"
-- where none is named. "torques" and "rotors" are torques, which a status of NOT_FINITE zeroes.
local terms = {
  tau = "torques", tau_ctrl = "torques", tau_friction = "torques", tau_unactuated = "torques", tau_ctrl_of = "torques",
  ["base.wrench"] = "torques", ["base.wrench_ctrl"] = "torques", tau_total = "rotors", tau_apparent = "rotors",
  qdd = "joints", qdd_of = "joints", base_acc_of = "joints", nu = "forces", nu_of = "forces",
  pivot = "none", pivot_min = "none", scale = "none", bound = "none", ["base.bound"] = "none", gauss = "work", residual = "solved", ["base.acc"] = "solved",
  acc = "accelerations", jdqd = "drift", twist = "twists", pose = "lengths", jac = "lengths",
  ["com.p"] = "lengths", ["com.jac"] = "lengths", ["com.v"] = "twists", ["com.momentum"] = "momenta",
  potential = "potential", kinetic = "kinetic", M = "inertias",
}
function Outputs.terms_of(name) return terms[name] or terms[name:match("^[^.]*")] or "velocities" end

-- By the output's name: "tau_ctrl", "tau_ctrl_of.gravity"; of bounded rows, at nu = 0, "tau_ctrl_0" and "base_0.wrench_ctrl".
local function holds_torques(name)
  local stem, rest = name:match("^([^.]*)(.*)$")
  local of = Outputs.terms_of(stem:gsub("_0$", "") .. rest)
  return of == "torques" or of == "rotors"
end

local outputs = {
  qdd = {"joints", "m/s^2", "rad/s^2", "resulting joint acceleration"},
  nu = {"rows", "N", "N m", "magnitude of each row's constraint wrench; positive: along the row"},
  tau_ctrl = {"joints", "N", "N m", "torque to command: constraint and artificial torques"},
  tau_total = {"joints", "N", "N m", "joint-space torque D qdd (Vukcevic 2020, algorithm 2): for comparison, do not command"},
  tau_apparent = {"joints", "N", "N m", "S^T A nu with A projected through the distal joints: for comparison, do not command"},
  tau_friction = {"joints", "N", "N m", "friction of each joint, dry and viscous"},
  pivot_min = {"scalar", "1", "1", "smallest relative pivot of the rows: 1 far from a singular configuration, 0 at one"},
  pivot = {"rows", "1", "1", "relative pivot of each row: 1 independent of the other rows, 0 determined by them"},
  residual = {"rows", "m/s^2", "rad/s^2", "acceleration that results along each row, less b"},
  bound = {"joints", "m/s^2", "rad/s^2", "how far qdd can be from the exact solution, by rounding"},
  scale = {"scalar", "1", "1", "share of b of the artificial rows that the motors reach within their limits, 0 to 1; 0 too where not even none of it is within: torques are clamped"},
}

function Outputs:wanted(name)
  for _, o in ipairs(self.layout.outputs) do
    if o == name then return true end
  end
  return false
end

-- terms: of what has no name of its own in Outputs.terms_of.
function Outputs:put(name, shape, linear, angular, doc, values, count, terms)
  if shape == "joints" and self.chain.nj == 0 then return end
  self.outputs[#self.outputs + 1] =
    {name = name, shape = shape, linear = linear, angular = angular, doc = doc, values = values, count = count, terms = terms}
end

-- values: a list, or a function that makes it when the layout asks for this output.
function Outputs:output(name, values)
  if not self:wanted(name) then return end
  local o = outputs[name]
  if o[1] == "rows" and #self.rows == 0 then return end
  ag.region("output: " .. name, name)
  if type(values) == "function" then values = values() end
  self:put(name, o[1], o[2], o[3], o[4], values)
end

-- What bounds the errors of the accelerations vdot, where the layout asks for it; make: by coordinate.
function Outputs:output_bound(vdot, make)
  if not self:wanted("bound") then return end
  ag.region("output: bound", "bound")
  local bounds, nb, n = make(), self.chain.nb, self.chain.nj
  self:output("bound", table.move(bounds, nb + 1, nb + n, 1, {}))
  if self.base then self.base:put_bound(bounds, vdot) end
end

-- What the joints without a motor and the base would have to give, by coordinate.
function Outputs:output_unactuated(values)
  if self.base then
    self.base:put("base.wrench_ctrl", "wrench", values,
      "part of the artificial wrenches and rows that falls on " .. self.base_name .. ", which has no motor: wrench at its origin, axes of the world")
  end
  for i = 1, self.chain.nj do
    if self.passive[i] then
      local body = self.chain.bodies[self.chain.leader[i]]
      local joint, prismatic = body.link.joint, body.prismatic
      self:put("tau_unactuated." .. joint.id, "scalar", prismatic and "N" or "N m", "1",
        "part of the artificial wrenches and rows that falls on " .. joint.name .. ", which has no motor",
        {values[self.chain.nb + i]})
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
  local lin, ang = spatial.add(self:to_base(body, a.lin), self.gravity), self:to_base(body, a.ang)
  self:put(prefix .. f.id, "acceleration", "m/s^2", "rad/s^2",
    kind .. " acceleration of " .. f.name .. " at its origin, " .. self.axes, flat(lin, ang))
end

function Outputs:output_twist(f)
  ag.region("output: twist of " .. f.name, f.id)
  local t = self:twists()[f.frame.body]
  local v = spatial.add(t.v, spatial.cross(t.w, f.frame.p))
  self:put("twist." .. f.id, "twist", "m/s", "rad/s", "velocity of " .. f.name .. " at its origin, " .. self.axes,
    flat(self:to_base(f.frame.body, v), self:to_base(f.frame.body, t.w)))
end

function Outputs:body_poses()
  if not self.poses then self.late_poses = self.late_poses or motion.poses(self.robot) end
  return self.poses or self.late_poses
end

function Outputs:output_pose(f)
  ag.region("output: pose of " .. f.name, f.id)
  local body = self:body_poses()[f.frame.body]
  local p = spatial.add(body.p, spatial.mul(body.R, f.frame.p))
  local Rf = spatial.matmul(body.R, f.frame.R)
  local place = self.base and "pose of " .. f.name .. ", origin from that of " .. self.base_name .. ", axes of the world"
    or "pose of " .. f.name .. " in the base frame"
  self:put("pose." .. f.id, "pose", "m", "1", place, flat(p, Rf[1], Rf[2], Rf[3]))
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
  if not self.sizes then
    finite = scalar.all_finite(table.move(results, 1, #results, #self.all_inputs + 1, table.move(self.all_inputs, 1, #self.all_inputs, 1, {})))
  end
  for _, o in ipairs(self.outputs) do
    local values = o.values
    if holds_torques(o.name) then
      values = {}
      for k, x in ipairs(o.values) do values[k] = scalar.select(finite, x, 0) end
    end
    ag.output(o.name, o.shape, o.linear, o.angular, o.doc, values, o.count or 1, o.terms or Outputs.terms_of(o.name), holds_torques(o.name))
  end
  for _, s in ipairs(self.statuses) do
    ag.status(s.name, scalar.land(finite, s.condition))
  end
  ag.status("NOT_FINITE", scalar.lnot(finite))
end

return Outputs
