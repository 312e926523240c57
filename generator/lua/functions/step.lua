-- SPDX-License-Identifier: MIT
-- step.lua: a step of a simulator of the robot, of period h.
--
--   (M + h D) (v+ - v) = h (tau - c(q, v) - D v + tau_ext),   q+ = q (+) h v+     (semi-implicit Euler)
-- with rotor inertias in M, D the viscous friction of the joints, taken at v+, c what velocities and gravity need, and
-- (+) of places.lua: positions are added to, rotations are turned by exp(h w) along the axes of the world.
-- Source: Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 6; Hairer, Lubich, Wanner, Geometric Numerical
-- Integration, 2006, I.1 and IV.

local scalar = require "scalar"
local Integrators = require "integrators"
local Closures = require "closures"
local Places = require "places"
local State = require "state"

local Step = {}

local function step_input(layout) return layout.step.time_step == "input" end

-- The period of one substep, and a condition: it is no period.
function Step.read_period(state, step)
  if step.time_step ~= "input" then return step.time_step / step.substeps, false end
  local h = state:input {
    name = "time_step", shape = "scalar", linear = "s", angular = "s",
    doc = "period of the step", range = "%s > 0", default = {1e-3},
  }[1]
  local part = step.substeps == 1 and h or scalar.divide(1, step.substeps) * h
  return part, scalar.lnot(scalar.lt(0, h))
end

-- Why a layout has no step without a solver in it: what pushes on one side, or up to a bound.
function Step.unilateral(layout)
  if #layout.contacts > 0 then return "contacts" end
  for _, g in ipairs(layout.joint_groups) do
    if g.name == "friction" and #g.rows > 0 then return "dry friction of joints" end
    if g.motors then return "dry friction of motors" end
    if g.margin or g.side then return "limits of joints" end
  end
  return nil
end

-- What neither step nor step_begin can do: {what, remedy}, or nil.
function Step.faults(context)
  local layout = context.layout
  local taken = {time_step = step_input(layout), contact = #layout.contacts > 0}
  for _, w in ipairs(layout.wrenches) do
    if taken[w.name] then
      return {what = 'the wrench "' .. w.name .. '" is named like an input of step', remedy = "choose another name"}
    end
  end
  return Closures.faults(layout)
end

function Step.refused(context)
  local layout = context.layout
  if layout.step.integrator == "momentum" and context.chains.link.nb == 0 then
    return {what = 'the integrator "momentum" corrects the velocity of a base that moves, and this one is fixed',
      remedy = 'write integrator = "semi_implicit", or base = "floating"'}
  end
  local what = Step.unilateral(layout)
  if what then
    return {what = "step has no solver for " .. what, remedy = "write --functions step_begin, which is for one"}
  end
  local held = Closures.groups(layout)[1]
  if held and layout.step.integrator ~= "semi_implicit" then
    return {what = 'the group "' .. held.name .. '" is held in steps of the integrator semi_implicit',
      remedy = 'write integrator = "semi_implicit", or loops = {}'}
  end
  if held and context.formulation == "recursion" then
    return {what = 'a step that holds the group "' .. held.name .. '" is made in joint space',
      remedy = "leave --formulation out"}
  end
  return Step.faults(context)
end

Step.doc = "A step of a simulator: positions and velocities a period later, under joint torques tau, gravity and " ..
  "physical wrenches. Velocities first, from accelerations at the beginning of the step with viscous friction at " ..
  "its end; then positions with these velocities (semi-implicit Euler)."

function Step.named(context) return context.layout.step.named end

-- Frames matter to held rows alone, whose steps are made in joint space.
function Step.frameless(context) return #Closures.groups(context.layout) == 0 end

function Step.variants(context)
  if #Closures.groups(context.layout) == 0 then return nil end
  return {{formulation = "joint", way = "wrench", axes = "chain"}}
end

-- What a step takes beside places.
Step.needs = {
  qd = true, one_tau = true, gravity = true, armature = true, wrenches = "physical", inertia = true, root = true,
  friction = true,
}

function Step.program(context, variant)
  local state = State.new(context, variant, Step.needs)
  local step = context.layout.step
  Places.read(state)
  local h, bad = Step.read_period(state, step)
  local here, far, pivots, acted, nu = state, false, {}, {}, nil
  local place, v = Places.given(state)
  for k = 1, step.substeps do
    if k > 1 then here = Places.state(state, place, v) end
    local beyond, D, loops
    place, v, beyond, D, loops = Integrators[step.integrator](here, place, v, h, k < step.substeps)
    far = scalar.lor(far, beyond)
    if loops then
      table.move(loops.acted, 1, #loops.acted, #acted + 1, acted)
      nu = step.substeps == 1 and loops:forces(h) or nil
    end
    table.move(D, 1, #D, #pivots + 1, pivots)
  end
  Places.put(state, place, v)
  if nu then state:put("nu", nu) end
  if #acted > 0 then state:status("SINGULAR", scalar.any(acted)) end
  state:check_positive(pivots)
  state:finish(scalar.lor(bad, far))
end

return {step = Step}
