-- Unimation PUMA 560: six rows at the wrist.
return {
  armature = { -- [kg m^2], of motors and gears, seen from the joints (Armstrong, Khatib, Burdick 1986)
    joint_1 = 1.14, joint_2 = 4.71, joint_3 = 0.827, joint_4 = 0.200, joint_5 = 0.179, joint_6 = 0.193,
  },
  gravity = { 0, 0, -9.81 },
  groups = {
    {
      name = "tool",
      frame = "link_6",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
  },
}
