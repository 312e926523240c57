-- A Gen3 with its rotors: six rows at the tool, of which `osim` makes an operational space.
return {
  name = "gen3",
  gravity = { 0, 0, -9.81 },
  armature = { -- rotor inertia at the joints [kg m^2]
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  groups = { { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" } } },
}
