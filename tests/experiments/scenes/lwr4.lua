-- Nothing around it. The thesis simulated friction in the joints (p. 89) and does not print it: here it is the dry
-- friction of the URDF, 10 N m on every joint, the small ones of the wrist included. The URDF's damping of 1 N m s/rad
-- is left out; with it the arm is at the goal 0.1 s sooner or later (docs/experiments.md).
return {
  robot = {
    damping = {
      lwr_a1_joint = 0, lwr_a2_joint = 0, lwr_e1_joint = 0, lwr_a3_joint = 0, lwr_a4_joint = 0, lwr_a5_joint = 0,
      lwr_a6_joint = 0,
    },
  },
}
