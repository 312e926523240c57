-- Kinova Gen3: the tool's acceleration is constrained in up to six directions, by the motors.
--   achdgen robots/gen3.urdf --layout robots/gen3.lua
-- A layout is Lua that returns one table; what it leaves out has a default (docs/layouts.md).

return {
  -- Rotor inertia seen from the joint, gear ratio squared included [kg m^2]. A URDF has no place for
  -- it, and here it outweighs the links: leave it out and joint accelerations come out far too large.
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },

  -- Efforts that the published controllers of this arm allow [N m]; the URDF says 39 and 9.
  effort = {
    joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55,
    joint_5 = 28, joint_6 = 28, joint_7 = 28,
  },
  -- tau_ctrl stays within them; qdd is then the motion that the clamped torques cause, and the
  -- status says SATURATED.
  saturate = true,

  -- Gravity is an input (that is the default), so the arm may hang from a ceiling or stand on a ship.
  gravity = "input",

  torques = {
    physical = true,   -- tau_phys: acts although nobody commands it (friction, a spring)
    artificial = true, -- tau_art: commanded on top of the rows (posture, gravity compensation)
  },

  wrenches = {
    -- What a force sensor at the tool measures: the rows hold in spite of it.
    { name = "push", frame = "tool_frame", kind = "physical" },
  },

  groups = {
    -- Six rows at the origin of tool_frame, along the axes of base_link. Mask 0 takes a row out while
    -- the controller runs: its direction is then unconstrained.
    {
      name = "tool",
      frame = "tool_frame",
      axes = "base",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
  },

  -- pivot_min falls towards 0 as the arm nears a singular configuration.
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
