-- Nothing around it. Friction of the real arm is not published: here it is the dry friction of the URDF, 1 N m on every
-- joint. The URDF's damping of 1 N m s/rad is left out; with it the arm is at the goal 0.1 s later
-- (docs/experiments.md).
return {
  robot = { damping = { arm_joint_1 = 0, arm_joint_2 = 0, arm_joint_3 = 0, arm_joint_4 = 0, arm_joint_5 = 0 } },
}
