-- Nothing around it. Friction is not published, and the URDF's 1 N m on every joint is no measurement: 2 % of the
-- efforts [N m], dry.
return {
  robot = {
    friction = { arm_joint_1 = 0.298, arm_joint_2 = 0.298, arm_joint_3 = 0.16, arm_joint_4 = 0.066,
      arm_joint_5 = 0.024 },
    damping = { arm_joint_1 = 0, arm_joint_2 = 0, arm_joint_3 = 0, arm_joint_4 = 0, arm_joint_5 = 0 },
  },
}
