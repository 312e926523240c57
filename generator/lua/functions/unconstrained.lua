-- SPDX-License-Identifier: MIT
-- unconstrained.lua: the robot without constraint rows: its formulation, the motion at vdot = 0, and u of all forces
-- that act.

local motion = require "motion"
local formulations = require "formulations"

local Free = {}

local function sum(a, b)
  local r = {}
  for i = 1, #a do r[i] = a[i] + b[i] end
  return r
end

-- form: recursion or joint; motion: at vdot = 0. By body, physical: the wrenches that it takes less the physical ones
-- that are given. By coordinate: tau_phys; from_wrenches: J^T f of the artificial wrenches, which act through the
-- motors; own: these and tau_art; u: of all of them.
function Free.new(state, formulation)
  local robot, self = state.robot, {}
  self.form = formulations[formulation].new(robot, state.inertias, state.armature)
  self.motion = motion.accelerations(robot, -state.gravity, nil, state.root)
  self.physical = state:needed_wrenches(self.motion)
  self.tau_phys = state:by_coordinate(state:acting_torques())
  self.from_wrenches = motion.joint_forces(robot, state:given_wrenches("artificial"), "artificial wrenches: ")
  self.own = sum(self.from_wrenches, state:by_coordinate(state.tau_art))
  self.u = self.form:free(sum(self.own, self.tau_phys), self.physical)
  return self
end

return Free
