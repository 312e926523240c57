-- Kinova Gen3 with what its last link weighs given at run time: for achd/identify.h, which tells a load while the arm
-- moves (docs/identify.md).
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  gravity = { 0, 0, -9.81 },
  inertia_inputs = { "bracelet_link" },
  groups = {},
}
