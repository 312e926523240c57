-- SPDX-License-Identifier: MIT
-- physics.lua: what a model for MuJoCo has beside the tree of links (--mjcf): gravity, rotors, friction and limits of
-- joints, motors that are not joints, loads, and the frames of rows.
--
-- A motor with w = G qd that turns with several joints is there a fixed tendon of the length G q: what it exerts is
-- felt by joints as G^T tau, and its friction as G^T d G qd and G^T f sgn(w). Inertia of tendons MuJoCo 2.2 does not
-- have: each joint has its own part of G^T J G. Motors that turn with one joint alone have a gear, and give the joint
-- what is theirs.

local scalar = require "scalar"
local SimulatedLoops = require "simulated_loops"
local Transmissions = require "transmissions"

local Physics = {}

-- How MuJoCo has a motor: "own", the joint itself; "gear", of one joint; "ball", of axes of one ball joint; "tendon",
-- of several joints, or "none": of axes of balls together with other joints, over which no tendon runs.
local function kind_of(chain, motor)
  if motor.own then return "own" end
  local count, balls, others = 0, {}, false
  for i, ratio in pairs(motor.of) do
    local b = chain.bodies[i]
    if scalar.value(ratio) ~= 0 then
      count = count + 1
      if b.ball then balls[b.link.joint.ball_name] = true else others = true end
    end
  end
  local ball = next(balls)
  if not ball then return count == 1 and "gear" or "tendon" end
  return not others and not next(balls, ball) and "ball" or "none"
end

-- The limit of a motor: its own, or what that of its one joint leaves it.
local function effort_of(layout, m)
  local motor, joints = layout.motors[m], Transmissions.joints_of(layout, m)
  local only = joints[1]
  if motor.effort or #joints > 1 or not layout.effort[only] then return motor.effort end
  return layout.effort[only] / math.abs(scalar.value(layout.gears.G[m][only]))
end

-- All motors in the order of the header, {name, kind, links, ratios, effort, viscous, coulomb}; none where each is a
-- joint's own.
local function motors_of(context)
  local chain, layout, list, geared = context.chains.link, context.layout, {}, false
  for _, motor in ipairs(layout.motors or {}) do geared = geared or not motor.own end
  for m, motor in ipairs(geared and layout.motors or {}) do
    local r = {name = motor.name, kind = kind_of(chain, motor), links = {}, ratios = {}, effort = effort_of(layout, m),
      viscous = scalar.value(motor.viscous), coulomb = scalar.value(motor.coulomb)}
    for i = 1, chain.n do
      if scalar.value(motor.of[i] or 0) ~= 0 then
        r.links[#r.links + 1], r.ratios[#r.ratios + 1] = chain.bodies[i].link_index, scalar.value(motor.of[i])
      end
    end
    list[m] = r
  end
  return list
end

-- Rotor inertias by link, and friction by joint of motors that turn with one joint: viscous, and dry where it is not
-- counted as the joint's already (transmissions.lua).
local function at_joints(context, motors)
  local chain, layout = context.chains.link, context.layout
  local rotors, viscous, coulomb, gears, rubs = {}, {}, {}, layout.gears, {}
  for k, value in pairs(context.selection.armature_values or {}) do rotors[k] = value end
  for _, g in ipairs(layout.joint_groups) do
    for _, m in ipairs(g.motors or {}) do rubs[m] = true end
  end
  for j, i in ipairs(gears and chain.leader or {}) do
    local link, value = chain.bodies[i].link_index, scalar.value(gears.rotors[j])
    if value ~= 0 then rotors[link] = (rotors[link] or 0) + value end
    for m, motor in ipairs(motors) do
      local ratio = #motor.links == 1 and math.abs(scalar.value(gears.G[m][j])) or 0
      if ratio > 0 and motor.viscous > 0 then viscous[j] = (viscous[j] or 0) + ratio * ratio * motor.viscous end
      if ratio > 0 and rubs[m] then coulomb[j] = (coulomb[j] or 0) + ratio * motor.coulomb end
    end
  end
  return rotors, viscous, coulomb
end

-- Balls whose axes differ in a number of which MuJoCo's ball has one: {name, what}.
local function balls_apart(context, joints)
  local chain, list = context.chains.link, {}
  local words = {armature = "rotor inertia", viscous = "viscous friction", coulomb = "dry friction"}
  for j, i in ipairs(chain.leader) do
    local b = chain.bodies[i]
    for word, what in pairs(b.ball == 3 and words or {}) do
      local third = joints[j][word] or 0
      if (joints[j - 1][word] or 0) ~= third or (joints[j - 2][word] or 0) ~= third then
        list[#list + 1] = {name = b.link.joint.ball_name, what = what, line = b.link.joint.line}
      end
    end
  end
  table.sort(list, function(x, y) return x.name .. x.what < y.name .. y.what end)
  return list
end

-- What of motors that are not joints the model does not have, in sentences.
local function losses_of(context, motors)
  local layout, coupling, list = context.layout, {}, {}
  for m, motor in ipairs(motors) do
    local name, several = '"' .. motor.name .. '"', #motor.links > 1
    if several and scalar.value(layout.motors[m].inertia) > 0 then coupling[#coupling + 1] = name end
    if motor.kind == "none" then
      list[#list + 1] = "motor " .. name .. " turns with axes of a ball joint and with other joints, over which no " ..
        "tendon of MuJoCo runs: it is left out"
    elseif motor.kind == "ball" and several and motor.viscous + motor.coulomb > 0 then
      list[#list + 1] = "friction of motor " .. name .. ", which turns with several axes of a ball joint, is not in " ..
        "the model: MuJoCo's ball has one for all three"
    end
  end
  if layout.gears and #layout.gears.rotors.coupled > 0 then
    table.insert(list, 1, "rotors that couple joints are not in the model: each joint has its own part of G^T J G " ..
      "alone, of motors " .. table.concat(coupling, ", "))
  end
  return list
end

-- Of all joints {link, armature, effort, passive, coulomb, viscous}; nil: what the robot's file says.
local function joints_of(context, rotors, viscous, coulomb)
  local chain, layout, friction, joints = context.chains.link, context.layout, {}, {}
  for _, g in ipairs(layout.joint_groups) do
    if g.name == "friction" then friction = g end
  end
  local function with(list, more, j)
    local own = type(list) == "table" and list[j] or nil
    return more[j] and (own or 0) + more[j] or own
  end
  for j, i in ipairs(chain.leader) do
    local link = chain.bodies[i].link_index
    joints[j] = {link = link, armature = rotors[link], effort = layout.effort[j], passive = layout.passive[j] or false,
      coulomb = with(friction.coulomb, coulomb, j), viscous = with(friction.viscous, viscous, j)}
  end
  return joints
end

function Physics.of(context)
  local layout, selection, motors = context.layout, context.selection, motors_of(context)
  local physics = {base = selection.base, rotors = {}, payloads = {}, frames = {}, motors = motors,
    losses = losses_of(context, motors)}
  if layout.gravity ~= "input" then physics.gravity = layout.gravity end
  local rotors, viscous, coulomb = at_joints(context, motors)
  physics.joints = joints_of(context, rotors, viscous, coulomb)
  physics.balls_apart = balls_apart(context, physics.joints)
  for k in ipairs(context.model.links) do
    local own = selection.payload[k]
    if rotors[k] then physics.rotors[#physics.rotors + 1] = {link = k, value = rotors[k]} end
    if own then physics.payloads[#physics.payloads + 1] = {link = k, m = own.m, h = own.h, I = own.I} end
  end
  local seen = {}
  for _, g in ipairs(layout.groups) do
    if g.frame and not seen[g.frame.link] then
      seen[g.frame.link] = true
      physics.frames[#physics.frames + 1] = g.frame.link
    end
  end
  SimulatedLoops.add(context, physics, rotors)
  return physics
end

return Physics
