-- SPDX-License-Identifier: MIT
-- The arm that is simulated: rotors and links, each with a position and a velocity of its own. Springs are torques that
-- main.c computes.
return {
  name = "plant",
  gravity = { 0, 0, -9.81 },
  groups = {},
  wrenches = { { name = "push", frame = "tool", kind = "physical" } },
  transmissions = {
    { motor = "shoulder", joint = "rotor_1", ratio = 100 },
    { motor = "elbow", joint = "rotor_2", ratio = 100 },
  },
  motors = {
    shoulder = { inertia = 6e-5, viscous = 2e-4, effort = 0.8 },
    elbow = { inertia = 3e-5, viscous = 1e-4, effort = 0.4 },
  },
  step = { time_step = 1e-4 },
}
