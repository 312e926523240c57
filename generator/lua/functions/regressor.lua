-- SPDX-License-Identifier: MIT
-- regressor.lua: the torques of inverse dynamics by what they are linear in: tau = Y(q, qd, qdd) pi.
--
-- A body's part of Y is the wrenches that unit masses, moments and inertias need to move as it does (motion.lua), as
-- the joints before it feel them. Of these columns joints feel some together only: what moves to the parent when bodies
-- are regrouped (frames.lua) is left out at once; of the others, a column that depends on those before it is left out,
-- too: the ranks are those of random states, exact, in a finite field (script/independent.h). What is left are the base
-- parameters: as few as can be, and all that torques can identify.
-- Sources: Atkeson, An, Hollerbach, Estimation of inertial parameters of manipulator loads and links, The
-- International Journal of Robotics Research 5 (1986); Gautier, Khalil, Direct calculation of minimum set of inertial
-- parameters of serial robots, IEEE Transactions on Robotics and Automation 6 (1990).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Frames = require "frames"
local Matrices = require "matrices"
local State = require "state"
local Base = require "moving_base"

local names = {"m", "mx", "my", "mz", "ixx", "ixy", "ixz", "iyy", "iyz", "izz"}
local units = {m = "kg", mx = "kg m", my = "kg m", mz = "kg m"}

-- The inertia of which number k is 1, the others 0.
local function unit_inertia(k)
  local x = scalar.zeros(10)
  x[k] = 1
  return {m = x[1], h = spatial.vector {x[2], x[3], x[4]}, I = {x[5], x[6], x[7], x[8], x[9], x[10]}}
end

local function number_of(of, k)
  if k == 1 then return of.m end
  return k <= 4 and of.h[k - 1] or of.I[k - 4]
end

-- What a body keeps when it is regrouped (Frames.split), by the places of `names`. Of one that turns izz = ixx + iyy.
local kept = {turning = {2, 3, 5, 6, 7, 8, 9}, sliding = {1, 2, 3, 4}, base = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
  ball = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}

-- What of a motor that is no joint has a column: it pushes along the row of G.
local of_motors = {armature = {unit = "kg m^2", value = "inertia"}, viscous = {unit = "N m s/rad", value = "viscous"}}

-- All columns worth a look, {body, place, inertia, id}, those of a moving base first; then those of joints, {joint,
-- word, id}, and of motors, {motor, row of G, word, id}.
local function candidates(chain, base_id, layout)
  local list = {}
  for i = chain.nb > 0 and 0 or 1, chain.n do
    local ball = chain.bodies[i].ball
    local kind = i == 0 and "base" or ball and "ball" or chain.bodies[i].prismatic and "sliding" or "turning"
    for _, k in ipairs((ball or 3) == 3 and kept[kind] or {}) do -- the first two of a ball have no mass
      local unit = unit_inertia(k)
      if kind == "turning" and (k == 5 or k == 8) then unit.I[6] = 1 end
      local id = i == 0 and base_id or chain.bodies[i].link.id
      local what = names[k]
      list[#list + 1] = {body = i, place = k, inertia = unit, id = id .. "." .. what, unit = units[what] or "kg m^2"}
    end
  end
  for _, word in ipairs(layout.regressor) do
    for m, motor in ipairs(of_motors[word] and layout.motors or {}) do
      if not motor.own then
        list[#list + 1] = {motor = m, row = layout.gears.G[m], word = word, id = motor.name .. "." .. word,
          unit = of_motors[word].unit}
      end
    end
    for j, i in ipairs(chain.leader) do
      local slides = chain.bodies[i].prismatic
      local unit = {armature = {"kg", "kg m^2"}, viscous = {"N s/m", "N m s/rad"}}
      local of = unit[word] or {"N", "N m"}
      list[#list + 1] = {joint = j, word = word, id = chain.bodies[i].link.joint.id .. "." .. word,
        unit = of[slides and 1 or 2]}
    end
  end
  return list
end

-- What the coordinates feel of a wrench on a body, by coordinate; feels(i, wrench): the joint of body i, nil: S^T f.
-- Second result: the wrench on the base.
local function carried(robot, body, wrench, feels)
  local chain, nb = robot.chain, robot.nb
  local y = scalar.zeros(nb + chain.nj)
  local on_base = motion.carry_wrench(robot, body, wrench, function(i, here)
    local c = nb + chain.joint_of[i]
    y[c] = y[c] + chain.ratio[i] * (feels and feels(i, here) or motion.along_joint(robot.bodies[i], here))
  end)
  return y, on_base
end

local function with_base(robot, y, on_base)
  for c, x in ipairs(motion.along_base(robot.nb, on_base)) do y[c] = x end
  return y
end

-- A column of a parameter of a joint, by what multiplies it there; of a motor's, by what joints' make of that there.
local function joint_column(robot, candidate, feels)
  local y, nb, felt = scalar.zeros(robot.nb + robot.chain.nj), robot.nb, feels[candidate.word]
  if candidate.joint then
    y[nb + candidate.joint] = felt(candidate.joint)
    return y
  end
  local turned = 0
  for j, x in ipairs(candidate.row) do
    if not scalar.is_zero(x) then turned = turned + x * felt(j) end
  end
  for j, x in ipairs(candidate.row) do
    if not scalar.is_zero(x) then y[nb + j] = x * turned end
  end
  return y
end

-- What the coordinates feel of a candidate. motions: of the bodies; feels: what multiplies a parameter of joint j, by
-- word.
local function column_of(robot, motions, candidate, feels)
  if candidate.word then return joint_column(robot, candidate, feels) end
  local wrench = motion.inertial_wrench(candidate.inertia, motions[candidate.body])
  return with_base(robot, carried(robot, candidate.body, wrench))
end

-- A generator of exact random numbers in [-1, 1).
local function generator()
  local state = 20
  return function()
    state = (state * 1103515245 + 12345) % 0x80000000
    return scalar.exact((state // 0x8000) / 0x8000 - 1)
  end
end

local function exact_angle(random)
  local x = 3 * scalar.value(random())
  return ag.circle(math.cos(x), math.sin(x))
end

-- The robot in a random state, and how it moves there. Angles of joints that mimic others are multiples of theirs,
-- which have no exact sines: the numbers are rounded then.
local function random_state(chain, layout, random)
  local function list(n)
    local r = {}
    for k = 1, n do r[k] = random() end
    return r
  end
  local trig, positions = {c = {}, s = {}, turn = {}}, list(chain.nj)
  for j = 1, chain.nj do positions[j] = 3 * positions[j] end
  local q = motion.per_body(chain, positions)
  for i = 1, chain.n do
    q[i] = q[i] + chain.offset[i]
    if chain.mimics then
      local x = scalar.value(q[i])
      trig.c[i], trig.s[i] = math.cos(x), math.sin(x)
    else
      trig.c[i], trig.s[i] = exact_angle(random)
    end
  end
  for _, ball in ipairs(chain.balls) do trig.turn[ball.body] = Base.rotation_of(list(4)) end
  local base = chain.nb > 0 and {R = spatial.identity}
  if base then
    local twist = motion.base_motion(chain.nb, list(chain.nb))
    base.w, base.v = twist.w, twist.v
  end
  local robot = motion.robot(chain, q, motion.per_body(chain, list(chain.nj)), trig, base)
  local upward = layout.gravity == "input" and spatial.vector(list(3)) or -layout.gravity
  local root = layout.root_acceleration and {v = spatial.vector(list(3)), w = spatial.vector(list(3))}
  local vdot, velocities = list(chain.nb + chain.nj), {}
  for j, i in ipairs(chain.leader) do velocities[j] = robot.bodies[i].qd end
  return robot, motion.accelerations(robot, upward, vdot, root), {
    armature = function(j) return vdot[chain.nb + j] end, viscous = function(j) return velocities[j] end,
    coulomb = random, offset = function() return 1 end,
  }
end

-- The columns of all candidates, one random state below the other, more of them than it takes.
local function stacked(chain, layout, list)
  local random, columns = generator(), {}
  for k = 1, #list do columns[k] = {} end
  for _ = 1, math.ceil(1.2 * #list / math.max(1, chain.nb + chain.nj)) + 3 do
    local robot, motions, feels = random_state(chain, layout, random)
    for k, candidate in ipairs(list) do
      local y, column = column_of(robot, motions, candidate, feels), columns[k]
      table.move(y, 1, #y, #column + 1, column)
    end
  end
  return columns
end

-- What an inertia about body i's origin comes to: give(body, what it keeps) for body i and those that it is regrouped
-- to.
local function regroup(chain, i, of, give)
  while i > 0 do
    local own, part = Frames.split(chain.bodies[i], of)
    give(i, own)
    i, of = chain.bodies[i].parent, part
  end
  if chain.nb > 0 then give(0, of) end
end

-- Columns are those that are independent; every candidate adds `factors` times itself to their parameters.
local function fold(chain, list, independent)
  local place, parameters = {}, {}
  for k, candidate in ipairs(list) do
    if independent[k] == true then
      parameters[#parameters + 1] = {candidate = candidate, value = 0, sum = {names = {}, factors = {}}}
      place[k] = #parameters
    end
  end
  local of_body = {}
  for k, candidate in ipairs(list) do
    local i = candidate.body
    if i then
      of_body[i] = of_body[i] or {}
      table.insert(of_body[i], k)
    end
  end
  -- adds x times candidate k; add(parameter, number)
  local function each(k, x, add)
    if scalar.is_zero(x) then return end
    if place[k] then return add(parameters[place[k]], x) end
    for l, factor in ipairs(independent[k]) do
      if not scalar.is_zero(factor) then add(parameters[place[l]], factor * x) end
    end
  end
  local function each_inertia(i, of, add)
    regroup(chain, i, of, function(body, own)
      for _, k in ipairs(of_body[body] or {}) do each(k, number_of(own, list[k].place), add) end
    end)
  end
  return parameters, each, each_inertia
end

-- Adds x times a name to a sum {names, factors = by name}.
local function add_term(sum, x, name)
  if not sum.factors[name] then sum.names[#sum.names + 1] = name end
  sum.factors[name] = (sum.factors[name] or 0) + x
end

-- "0.5 ixx(arm) - mx(hand)"
local function text_of(sum)
  local text = ""
  for _, name in ipairs(sum.names) do
    local x = scalar.value(sum.factors[name])
    if math.abs(x) > 1e-14 then
      local size = math.abs(x) == 1 and "" or string.format("%.15g ", math.abs(x))
      text = text .. (x < 0 and (text == "" and "-" or " - ") or text == "" and "" or " + ") .. size .. name
    end
  end
  return text
end

-- Whether parameters of joints of this kind have columns.
local function has_column(layout, word)
  for _, w in ipairs(layout.regressor) do
    if w == word then return true end
  end
  return false
end

-- The inertias of the rotors that turn with one joint, by joint, where they are constants.
local function rotors_of_joints(chain, layout)
  local own, armature = {}, layout.armature ~= "input" and layout.armature or {}
  for j, leader in ipairs(chain.leader) do own[j] = armature[leader] or 0 end
  for _, motor in ipairs(layout.motors or {}) do
    local j = motor.own and chain.joint_of[motor.own]
    if j then own[j] = own[j] + motor.inertia end
  end
  return own
end

-- The base parameters: their columns, and what the model's links make of them.
local function base_parameters(context)
  if context.base_parameters then return context.base_parameters end
  local chain, layout = context.chains.link, context.layout
  local base_id = context.model.links[chain.frames[1].link].id
  local list = candidates(chain, base_id, layout)
  local independent = ag.independent(stacked(chain, layout, list), chain.mimics)
  local parameters, each, each_inertia = fold(chain, list, independent)
  for i = chain.nb > 0 and 0 or 1, chain.n do
    local body = chain.bodies[i]
    local id = i == 0 and base_id or body.link.id
    local back = i > 0 and spatial.pose_inverse(body.own)
    for k, name in ipairs(names) do -- of the link, in its own frame
      local unit = unit_inertia(k)
      each_inertia(i, back and spatial.inertia_to(back, unit) or unit, function(parameter, x)
        add_term(parameter.sum, x, name .. "(" .. id .. ")")
      end)
    end
    each_inertia(i, body.whole_inertia, function(parameter, x) parameter.value = parameter.value + x end)
  end
  local armature = layout.armature ~= "input" and layout.armature or {}
  local own = rotors_of_joints(chain, layout)
  for k, candidate in ipairs(list) do
    local joint, motor, word = candidate.joint, candidate.motor, candidate.word
    if word then
      local of = joint and chain.bodies[chain.leader[joint]].link.joint.id or layout.motors[motor].name
      each(k, 1, function(parameter, x) add_term(parameter.sum, x, word .. "(" .. of .. ")") end)
    end
    if word == "armature" then
      each(k, motor and layout.motors[motor].inertia or own[joint],
        function(parameter, x) parameter.value = parameter.value + x end)
    end
  end
  local declared = {}
  for k, p in ipairs(parameters) do
    declared[k] = {id = p.candidate.id, unit = p.candidate.unit, value = scalar.value(p.value), text = text_of(p.sum)}
  end
  local rotors = layout.armature == "input" or (next(armature) ~= nil or layout.gears ~= nil) and
    not has_column(layout, "armature")
  local loads = #layout.inertia_inputs > 0
  for _, p in ipairs(layout.payloads) do loads = loads or p.at_run_time end
  ag.parameters(declared, not rotors and not loads)
  context.base_parameters = parameters
  return parameters
end

-- Y of a list of columns by parameter.
local function put(state, key, columns)
  local Y = Matrices.transpose(columns)
  state:put_matrix(key, Matrices.outward(state, Y, true, false), "velocities", "parameters")
end

local function program(context, variant)
  local parameters = base_parameters(context)
  local state = State.new(context, variant,
    {qd = true, qdd = true, base_acc = true, gravity = true, signs = has_column(context.layout, "coulomb"),
      root = true})
  local motions = motion.accelerations(state.robot, -state.gravity, state:given_vdot(), state.root)
  local feels = {
    armature = function(j) return state.qdd[j] end, viscous = function(j) return state.qd[j] end,
    coulomb = function(j) return state.signs[j] end, offset = function() return 1 end,
  }
  local columns = {}
  for k, p in ipairs(parameters) do
    ag.region("column of " .. p.candidate.id, "Y")
    columns[k] = column_of(state.robot, motions, p.candidate, feels)
  end
  put(state, "Y", columns)
  state:finish()
end

-- p = Yp pi, and what changes it beside torques: dp/dt = tau + Yt pi (momentum.lua). Of unit inertias: the momentum
-- that they have and that joints carry, and its change as their axes turn, less their weight.
local function momentum_program(context, variant)
  local parameters = base_parameters(context)
  local state = State.new(context, variant,
    {qd = true, gravity = true, signs = has_column(context.layout, "coulomb"), root = true})
  local robot, twists, rates = state.robot, state:twists(), motion.carried_by_root(state.robot, state.root)
  local none = function() return 0 end
  local momenta = {armature = function(j) return state.qd[j] end, viscous = none, coulomb = none, offset = none}
  local changes = {
    armature = none, viscous = function(j) return -state.qd[j] end, coulomb = function(j) return -state.signs[j] end,
    offset = function() return -1 end,
  }
  local Yp, Yt = {}, {}
  for k, p in ipairs(parameters) do
    local c = p.candidate
    ag.region("column of " .. c.id, "Y")
    if c.word then
      Yp[k], Yt[k] = joint_column(robot, c, momenta), joint_column(robot, c, changes)
      goto continue
    end
    local momentum = motion.momentum(c.inertia, twists[c.body])
    Yp[k] = with_base(robot, carried(robot, c.body, momentum))
    local changed, H = carried(robot, c.body, momentum,
      function(i, here) return motion.along_moving_joint(robot, i, twists[i], here) end)
    if state.base then -- the moment is about the base's origin, which moves
      with_base(robot, changed, {f = spatial.zero, n = spatial.cross(H.f, twists[0].v)})
    end
    local weight = motion.weight(c.inertia, state:to_body(c.body, state.gravity))
    if rates[c.body] then weight = motion.sub_wrench(weight, motion.momentum(c.inertia, rates[c.body])) end
    for j, x in ipairs(with_base(robot, carried(robot, c.body, weight))) do changed[j] = changed[j] + x end
    Yt[k] = changed
    ::continue::
  end
  put(state, "Yp", Yp)
  put(state, "Yt", Yt)
  state:finish()
end

local function variants() return {{formulation = "columns", way = "wrench", axes = "chain"}} end

return {
  regressor = {
    frameless = false,
    doc = "Regressor: the joint torques of id are Y times the base parameters of the robot's inertias.",
    variants = variants,
    program = program,
  },
  momentum_regressor = {
    frameless = false,
    doc = "Regressors of the momentum p = Yp pi and of its change, dp/dt = tau + Yt pi, by base parameters pi: no " ..
      "accelerations.",
    variants = variants,
    program = momentum_program,
  },
}
