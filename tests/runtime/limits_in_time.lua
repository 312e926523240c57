-- A Gen3 whose motors want a posture with 200 N m at most, and which stays within position, velocity and acceleration.
local joints = {}
for j = 1, 7 do joints[j] = "joint_" .. j end
return {
  name = "arm",
  gravity = { 0, 0, -9.81 },
  groups = { { name = "posture", joints = joints, bounds = { -200, 200 } } },
  limits = {
    velocity = "urdf",
    acceleration = { joint_1 = 6, joint_2 = 5, joint_3 = 7, joint_4 = 5, joint_5 = 10, joint_6 = 9, joint_7 = 12 },
    period = 1e-3,
  },
  outputs = { "qdd", "tau_ctrl" },
}
