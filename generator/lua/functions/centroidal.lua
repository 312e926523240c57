-- SPDX-License-Identifier: MIT
-- centroidal.lua: the momentum of all bodies about their centre of mass G, along the axes of the base, of a moving one
-- of the world:
--   h_G = A_G v = {m v_G, L_G},   dh_G/dt = A_G vdot + A_G-dot v,   I_G: the inertia of all bodies, held as they are
-- With F_i = I_i S_i = {f, n} the momentum of what joint i carries, by a unit velocity of the joint, about its origin
-- p_i, the column of joint i is {f, n + (p_i - p_G) x f}. A_G-dot v are the forces that the velocities take.
-- Source: Orin, Goswami, Lee, Centroidal dynamics of a humanoid robot, Autonomous Robots 35 (2013).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Joint = require "joint"
local State = require "state"
local Family = require "family"

local composite = Joint.composite

-- The composite of every body and what it carries, about its origin along its axes; 0: of all, about the base's.
local function composites(state)
  local robot, list = state.robot, {}
  for i = state.base and 0 or 1, robot.n do list[i] = composite.of(state.inertias[i]) end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    ag.region("inward: composite inertia, " .. b.link.name .. " -> " .. b.link.joint.name, b.link.id)
    local carrier, moved = list[b.parent], composite.to_parent(b, list[i])
    list[b.parent] = carrier and composite.add(carrier, moved) or moved
  end
  return list
end

-- What the wrenches of all bodies sum up to about the base's origin, along its axes.
local function total_wrench(state, wrenches)
  local robot, total = state.robot, {}
  for i = 0, robot.n do total[i] = wrenches[i] end
  for i = robot.n, 1, -1 do
    local b = robot.bodies[i]
    motion.put_wrench(total, b.parent, motion.wrench_to_parent(b, total[i]))
  end
  return total[0]
end

-- Columns {f, n} of A_G. list: of composites; com: G from the base's origin; I: I_G.
local function columns_of(state, list, com, I)
  local robot, chain, poses, nb = state.robot, state.chain, state:body_poses(), state.chain.nb
  local columns = {}
  for c, t in ipairs(motion.base_freedoms(nb)) do
    columns[c] = {f = list[0].m * (t.v + spatial.cross(t.w, com)), n = spatial.symmetric_mul(I, t.w)}
  end
  for j = 1, chain.nj do columns[nb + j] = motion.no_wrench end
  for i, b in ipairs(robot.bodies) do
    ag.region("momentum by " .. b.link.joint.name, b.link.id)
    local F, pose, c = composite.momentum(b, list[i]), poses[i], nb + chain.joint_of[i]
    local f = pose.R * F.f
    local n = pose.R * F.n + spatial.cross(pose.p - com, f)
    columns[c] = motion.add_wrench(columns[c], motion.scale_wrench(chain.ratio[i], {f = f, n = n}))
  end
  return columns
end

return {
  centroidal = {
    frameless = true,
    doc = "Centroidal momentum h_G = A_G qd, its matrix A_G, A_G-dot qd and the inertia about the centre of mass.",
    variants = function() return {{formulation = "composite", way = "base", axes = "matrix"}} end,
    refused = Family.com.refused,
    program = function(context, variant)
      local state = State.new(context, variant, {qd = true, inertia = true, whole = true})
      local base, nb = state.base, state.chain.nb
      local list = composites(state)
      local whole = list[0]
      ag.region("centre of mass", "com")
      local per_mass = scalar.divide(1, whole.m)
      local S, c = whole.Sigma, per_mass * whole.h
      -- about G: Sigma - h h^T / m
      local h = whole.h
      local about = {S[1] - c[1] * h[1], S[2] - c[1] * h[2], S[3] - c[1] * h[3], S[4] - c[2] * h[2],
        S[5] - c[2] * h[3], S[6] - c[3] * h[3]}
      local I = {about[4] + about[6], -about[2], -about[3], about[1] + about[6], -about[5], about[1] + about[4]}
      local com = base and base.R * c or c
      if base then I = spatial.rotate_symmetric(base.R, I) end
      local columns, v, values = columns_of(state, list, com, I), {}, {}
      for k, x in ipairs(base and base.twist or {}) do v[k] = x end
      for j = 1, state.chain.nj do v[nb + j] = state.qd[j] end
      ag.region("momentum", "momentum")
      local momentum = {0, 0, 0, 0, 0, 0}
      for k = 1, 6 do
        for j = 1, #columns do
          local x = k <= 3 and columns[j].f[k] or columns[j].n[k - 3]
          values[#values + 1] = x
          momentum[k] = momentum[k] + x * v[j]
        end
      end
      local rate = total_wrench(state, state:needed_wrenches(motion.accelerations(state.robot, spatial.zero)))
      local f, n = rate.f, rate.n - spatial.cross(c, rate.f)
      if base then f, n = base.R * f, base.R * n end
      state:put("h_G", momentum)
      state:put("A_G", values)
      state:put("Adot_v", {f[1], f[2], f[3], n[1], n[2], n[3]})
      state:put("I_G", I)
      state:finish()
    end,
  },
}
