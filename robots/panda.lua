-- Franka Emika Panda with its hand: the fingers are locked half open and count as part of the hand.
-- Two groups: six rows at the tool centre point, one free direction at the elbow, given at run time:
-- with it the seventh freedom, the elbow's swivel, is constrained too.
return {
  locked = { panda_finger_joint1 = 0.02, panda_finger_joint2 = 0.02 }, -- [m]
  torques = { physical = true, artificial = true },
  groups = {
    {
      name = "tool",
      frame = "panda_hand_tcp",
      rows = { "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z" },
      maskable = true,
    },
    { name = "elbow", frame = "panda_link4", rows = 1, maskable = true },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
