-- outputs.lua: the outputs of every function. Methods of the state (state.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"

local Outputs = {}

-- Every output of every function: {shape, linear unit, angular unit, terms, what it is}. Its name is the key's first word;
-- where that ends with a dot, the name of what it is of follows. Words in braces are filled in by `put`. terms: what is
-- summed up in it (ag_terms in quantity.h); those of "torques" and "rotors" a status of NOT_FINITE zeroes.
local of_axes = " at its origin, axes of the world"
local triangle = ", lower triangle: (i, j) at i (i + 1) / 2 + j [kg m^2, kg m, kg]"
local declared = {
  -- of a solve
  qdd = {"joints", "m/s^2", "rad/s^2", "joints", "resulting joint acceleration"},
  nu = {"rows", "N", "N m", "forces", "magnitude of each row's constraint wrench; positive: along the row"},
  tau_ctrl = {"joints", "N", "N m", "torques", "torque to command: constraint and artificial torques"},
  tau_total = {"joints", "N", "N m", "rotors",
    "joint-space torque D qdd (Vukcevic 2020, algorithm 2): for comparison, do not command"},
  tau_apparent = {"joints", "N", "N m", "rotors",
    "S^T A nu with A projected through the distal joints: for comparison, do not command"},
  tau_friction = {"joints", "N", "N m", "torques", "friction of each joint, dry and viscous"},
  pivot_min = {"scalar", "1", "1", "none",
    "smallest relative pivot of the rows: 1 far from a singular configuration, 0 at one"},
  pivot = {"rows", "1", "1", "none",
    "relative pivot of each row: 1 independent of the other rows, 0 determined by them"},
  residual = {"rows", "m/s^2", "rad/s^2", "solved", "acceleration that results along each row, less b"},
  bound = {"joints", "m/s^2", "rad/s^2", "none", "how far qdd can be from the exact solution, by rounding"},
  scale = {"scalar", "1", "1", "none",
    "share of b of the artificial rows that the motors reach within their limits, 0 to 1; 0 too where not even none " ..
    "of it is within: torques are clamped"},
  ["base.acc"] = {"acceleration", "m/s^2", "rad/s^2", "solved", "classical acceleration of {base}" .. of_axes},
  ["base.bound"] = {"acceleration", "m/s^2", "rad/s^2", "none",
    "how far base.acc can be from the exact solution, by rounding"},
  ["base.wrench_ctrl"] = {"wrench", "N", "N m", "torques",
    "part of the artificial wrenches and rows that falls on {base}, which has no motor: wrench" .. of_axes},
  ["tau_unactuated. of a hinge"] = {"scalar", "N m", "1", "torques",
    "part of the artificial wrenches and rows that falls on {of}, which has no motor"},
  ["tau_unactuated. of a slide"] = {"scalar", "N", "1", "torques",
    "part of the artificial wrenches and rows that falls on {of}, which has no motor"},
  -- what each cause contributes
  ["qdd_of."] = {"joints", "m/s^2", "rad/s^2", "joints", "joint acceleration caused by {of} (before clamping)"},
  ["base_acc_of."] = {"acceleration", "m/s^2", "rad/s^2", "joints",
    "classical acceleration of {base} caused by {of} (before clamping)," .. of_axes},
  ["nu_of."] = {"rows", "N", "N m", "forces", "constraint forces caused by {of} (before clamping)"},
  ["tau_ctrl_of."] = {"joints", "N", "N m", "torques", "torque to command caused by {of} (before clamping)"},
  -- of named frames
  ["acc."] = {"acceleration", "m/s^2", "rad/s^2", "accelerations", "{kind} acceleration of {of} at its origin, {axes}"},
  ["jdqd."] = {"acceleration", "m/s^2", "rad/s^2", "drift", "{kind} acceleration of {of} at its origin, {axes}"},
  ["twist."] = {"twist", "m/s", "rad/s", "twists", "velocity of {of} at its origin, {axes}"},
  ["pose. on a fixed base"] = {"pose", "m", "1", "lengths", "pose of {of} in the base frame"},
  ["pose. on a moving base"] = {"pose", "m", "1", "lengths",
    "pose of {of}, origin from that of {base}, axes of the world"},
  ["jac."] = {"jacobian", "1", "1", "lengths", "Jacobian of {of}, at its origin, {axes}"},
  -- of inverse and forward dynamics, inertia, energy and mass
  tau = {"joints", "N", "N m", "torques", "joint torque"},
  ["tau of gravity"] = {"joints", "N", "N m", "torques", "joint torque that holds against gravity"},
  ["tau of velocities"] = {"joints", "N", "N m", "torques", "joint torque of Coriolis and centrifugal forces"},
  ["base.wrench"] = {"wrench", "N", "N m", "torques", "the same on {base}: wrench" .. of_axes},
  ["qdd of forward dynamics"] = {"joints", "m/s^2", "rad/s^2", "joints", "joint acceleration"},
  ["M on a fixed base"] = {"packed", "1", "1", "inertias", "joint-space inertia" .. triangle},
  ["M on a moving base"] = {"packed", "1", "1", "inertias", "inertia of the base's and the joints' velocities" .. triangle},
  kinetic = {"scalar", "J", "J", "kinetic", "kinetic energy, rotors included"},
  potential = {"scalar", "J", "J", "potential", "potential energy of the moving bodies, zero at the base's origin"},
  gauss = {"scalar", "J/s^2", "J/s^2", "work", "Gauss function Z of qdd and tau"},
  ["com.m"] = {"scalar", "kg", "kg", "inertias", "mass of the moving bodies"},
  ["com.p on a fixed base"] = {"vector", "m", "m", "lengths", "centre of mass, in the base frame, {axes}"},
  ["com.p on a moving base"] = {"vector", "m", "m", "lengths", "centre of mass, from the origin of {base}, {axes}"},
  ["com.v"] = {"vector", "m/s", "m/s", "twists", "velocity of the centre of mass, {axes}"},
  ["com.jac on a fixed base"] = {"partials", "1", "1", "lengths",
    "Jacobian of the centre of mass: its velocity by those of the joints"},
  ["com.jac on a moving base"] = {"partials", "1", "1", "lengths",
    "Jacobian of the centre of mass: its velocity by those of the base and joints"},
  ["com.momentum"] = {"momentum", "kg m/s", "kg m^2/s", "momenta",
    "momentum, and angular momentum about the centre of mass, {axes}"},
  -- of bounded rows, for achd_mclp
  L = {"rows_packed", "1", "1", "velocities",
    "coupling of the rows: acceleration along one, per unit of another's nu; lower triangle by rows"},
  r = {"rows", "m/s^2", "rad/s^2", "velocities", "b minus the acceleration along each row at nu = 0"},
  compliance = {"rows", "1/kg", "1/(kg m^2)", "velocities",
    "compliance of each row, which L has in its diagonal: 0 where it is rigid"},
  ["lo of nu"] = {"rows", "N", "N m", "velocities", "smallest nu of each row; -{none}: no bound"},
  ["hi of nu"] = {"rows", "N", "N m", "velocities", "largest nu of each row"},
  forces = {"scalar", "1", "1", "velocities", "scale of the forces, for the status bit UNACTUATED"},
  -- of an optimum, for achd_qp
  ["points."] = {"list", "N", "N", "forces",
    "force of the environment at each point of {of}, three numbers a point, axes of its frame"},
  H = {"list", "1", "1", "velocities", "H of the problem 1/2 x^T H x + g^T x (achd/qp.h): lower triangle by rows"},
  g = {"list", "1", "1", "velocities", "g of the problem (achd/qp.h)"},
  A = {"list", "1", "1", "velocities", "A of the problem, lo <= A x <= hi (achd/qp.h): by rows"},
  ["lo of A x"] = {"list", "1", "1", "velocities", "least value of each row of A x; -{none}: no bound"},
  ["hi of A x"] = {"list", "1", "1", "velocities", "largest value of each row of A x; {none}: no bound"},
  level = {"list", "1", "1", "velocities",
    "0: torques, 1: cones of contacts, 2: limits of joints, 3, ..: artificial rows by priority"},
  weight = {"list", "1", "1", "velocities", "weight of each row within its level"},
}

-- Derivatives d<of>_d<by>: of what, its units where linear and angular, and of which shape; by what.
local differentiated = {
  tau = {"N", "N m", "velocities", "joint torque"}, qdd = {"m/s^2", "rad/s^2", "velocities", "joint acceleration"},
  nu = {"N", "N m", "rows", "constraint forces"}, tau_ctrl = {"N", "N m", "joints", "torque to command"},
}
local differentiated_with_base = {
  tau = "wrench on the base and joint torque", qdd = "acceleration of the base and of the joints",
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

-- key: of the table above; words: what fills the braces, {of =, id =: what it is named after; kind =, none =}.
function Outputs:put(key, values, words)
  local d = declared[key] or error('the output "' .. key .. '" is not declared in outputs.lua')
  words = setmetatable(words or {}, {__index = {base = self.base_name, axes = self.axes}})
  local name = key:match("^%S*")
  if name:sub(-1) == "." then name = name .. words.id end
  self:put_record {
    name = name, shape = self.chain.nb == 3 and name:match("^base[._]") and "planar" or d[1], linear = d[2], angular = d[3],
    doc = d[5]:gsub("{(%w+)}", words), values = values, count = d[1] == "list" and #values or 1, terms = d[4],
    zeroed = d[4] == "torques" or d[4] == "rotors",
  }
end

-- {name, shape, linear, angular, doc, values, count, terms, zeroed}: of `put`, or what another output became (affine.lua).
function Outputs:put_record(o)
  if o.shape ~= "joints" or self.chain.nj > 0 then self.outputs[#self.outputs + 1] = o end
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

-- values: a list, or a function that makes it when the layout asks for this output.
function Outputs:output(name, values)
  if not self:wanted(name) then return end
  if declared[name][1] == "rows" and #self.rows == 0 then return end
  ag.region("output: " .. name, name)
  if type(values) == "function" then values = values() end
  self:put(name, values)
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
  local lin, ang = spatial.add(self:to_base(body, a.lin), self.gravity), self:to_base(body, a.ang)
  self:put(prefix, flat(lin, ang), {id = f.id, of = f.name, kind = kind})
end

-- What accelerations added to a motion (motion.lua) add to that of a frame: by acc.FRAME's elements.
function Outputs:added_acceleration(f, added)
  local body, d = f.frame.body, added[f.frame.body]
  return flat(self:to_base(body, spatial.add(d.v, spatial.cross(d.w, f.frame.p))), self:to_base(body, d.w))
end

function Outputs:output_twist(f)
  ag.region("output: twist of " .. f.name, f.id)
  local t = self:twists()[f.frame.body]
  local v = spatial.add(t.v, spatial.cross(t.w, f.frame.p))
  self:put("twist.", flat(self:to_base(f.frame.body, v), self:to_base(f.frame.body, t.w)), {id = f.id, of = f.name})
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
  self:put("pose. on a " .. (self.base and "moving" or "fixed") .. " base", flat(p, Rf[1], Rf[2], Rf[3]), {id = f.id, of = f.name})
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
    if o.zeroed then
      local values = {}
      for k, x in ipairs(o.values) do values[k] = scalar.select(finite, x, 0) end
      o = setmetatable({values = values}, {__index = o})
    end
    ag.output(o)
  end
  for _, s in ipairs(self.statuses) do
    ag.status(s.name, scalar.land(finite, s.condition))
  end
  ag.status("NOT_FINITE", scalar.lnot(finite))
end

return Outputs
