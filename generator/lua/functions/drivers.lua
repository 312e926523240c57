-- SPDX-License-Identifier: MIT
-- drivers.lua: what the rows of a state let pass of what drives the robot: wrenches, torques that are given, viscous
-- friction. A row with the weight w of a driver that exerts the forces f makes up for w of what this causes alone,
--   J qdd = b + sum (1 - w) o (J M^-1 f)
-- with M that of the robot whose physical rows hold (Shakhimardanov, Composable robot motion stack, 2015, eq. 3.42:
-- L nu = b - Jdot qd - J M^-1 f_nature - sum w o (J M^-1 f)). Gravity and velocities are always made up for.

local motion = require "motion"
local constraints = require "constraints"

local Drivers = {}
Drivers.__index = Drivers

-- respond(u): u of forces, with what the physical rows answer; nil: there are none.
function Drivers.new(state, form, respond)
  local self = setmetatable({state = state, form = form, respond = respond, names = {}, of = {}, made = {}}, Drivers)
  local needed = {}
  for _, g in ipairs(state.groups) do
    for name in pairs(g.weights or {}) do needed[name] = true end
  end
  for _, w in ipairs(state.wrenches) do
    self.of[w.name] = function()
      return motion.joint_forces(state.robot, self:given(w.name), "what " .. w.name .. " causes: ")
    end
  end
  function self.of.tau_phys() return state:by_coordinate(state.tau_phys) end
  function self.of.tau_art() return state:by_coordinate(state.tau_art) end
  function self.of.viscous()
    local tau = {}
    for i = 1, state.chain.nj do tau[i] = -state:viscous_torque(i) end
    return state:by_coordinate(tau)
  end
  for _, name in ipairs(state.layout.drivers) do
    if needed[name] then self.names[#self.names + 1] = name end
  end
  self.needed = needed
  return self
end

-- The forces of a driver by coordinate.
function Drivers:forces(name)
  local made = self.made
  if not made[name] then
    ag.region("what " .. name .. " causes", name)
    made[name] = {tau = self.of[name]()}
  end
  return made[name].tau
end

-- The wrench that a driver is; nil: it is torques.
function Drivers:wrench(name)
  for _, w in ipairs(self.state.wrenches) do
    if w.name == name then return w end
  end
end

-- That wrench by body; none of torques.
function Drivers:given(name)
  local w, given = self:wrench(name), {}
  if w and (w.frame.body > 0 or self.state.base) then given[w.frame.body] = self.state:wrench_on_body(w) end
  return given
end

-- Their u; with the answer of the physical rows, u + K nu of these.
function Drivers:u(name)
  local tau = self:forces(name)
  local made = self.made[name]
  if not made.u then
    made.u = self.form:free(tau, {})
    if self.respond then made.u = self.respond(made.u) end
  end
  return made.u
end

-- 1 - w of row j; 0: nothing passes.
function Drivers.share(row, name)
  local weights = row.group.weights
  return weights and weights[name] and 1 - weights[name][row.k] or 0
end

-- What rows ask for beside b of the named drivers (nil: of all), and those that yield of the artificial wrenches:
-- constraints.pass.
function Drivers:pass(k, target, u_art, names)
  return constraints.pass(self.state.rows, k, self.form.inv, target, u_art, function(row)
    local u
    for _, name in ipairs(names or self.names) do
      local share = Drivers.share(row, name)
      if share ~= 0 then
        local mine, sum = self:u(name), {}
        for i = 1, #mine do sum[i] = (u and u[i] or 0) + share * mine[i] end
        u = sum
      end
    end
    return u
  end)
end

return Drivers
