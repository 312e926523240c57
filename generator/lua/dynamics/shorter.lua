-- SPDX-License-Identifier: MIT
-- shorter.lua: the recursion of recursion.lua with fewer steps that wait for each other, for some operations more.
-- Processors that compute limbs in the lanes of vectors have little else to do meanwhile (docs/performance.md).
--
-- `factor` solves the base, by halves (halves.lua) or by pivots. Outward, body i does not wait for the acceleration of
-- its parent p's joint, where p carries it alone, as in a limb: with b_p the motion of p but for this joint's part, a_p
-- = b_p + S_p qdd_p,
--     qdd_i = u_i / D_i - (U_i / D_i)^T X_i b_p - l_i qdd_p,  l_i = (U_i / D_i)^T X_i S_p
--     b_i = X_i b_p + (X_i S_p) qdd_p

local spatial = require "spatial"
local motion = require "motion"
local Recursion = require "recursion"

local Shorter = setmetatable({}, {__index = Recursion})
Shorter.__index = Shorter

function Shorter.new(robot, inertias, armature, factor)
  return setmetatable(Recursion.new(robot, inertias, armature, factor), Shorter)
end

local still = {w = spatial.zero, v = spatial.zero}

-- What a joint feels of a motion, by the wrench U / D that it feels by.
local function felt(g, m) return spatial.dot(g.n, m.w) + spatial.dot(g.f, m.v) end

-- By body, whether it carries one body alone.
local function carriers_of_one(robot)
  local count, alone = {}, {}
  for _, b in ipairs(robot.bodies) do count[b.parent] = (count[b.parent] or 0) + 1 end
  for i in ipairs(robot.bodies) do alone[i] = count[i] == 1 end
  return alone
end

function Shorter:accelerate(e)
  local robot, nb, alone = self.robot, self.robot.nb, carriers_of_one(self.robot)
  local vdot = self:accelerate_base(e)
  local before = {[0] = motion.base_motion(nb, vdot)}
  for i, b in ipairs(robot.bodies) do
    motion.outward_region(b, "acceleration")
    local U, inv, parent = self.U[i], self.inv[nb + i], robot.bodies[b.parent]
    local g = {n = inv * U.n, f = inv * U.f}
    local m = motion.carry(b, before[b.parent])
    local qdd = e[nb + i] * inv - felt(g, m)
    if alone[b.parent] then
      local column, rate = motion.carry(b, motion.add_joint(parent, still, 1)), vdot[nb + b.parent]
      qdd = qdd - felt(g, column) * rate
      m = {w = m.w + rate * column.w, v = m.v + rate * column.v}
    end
    vdot[nb + i] = ag.label(qdd, "qdd" .. i)
    before[i] = alone[i] and m or motion.add_joint(b, m, vdot[nb + i])
  end
  return vdot
end

return Shorter
