-- Nothing around it. The published LWR was a simulation without friction; the 10 N m on every joint that the URDF has,
-- the small ones of the wrist included, are no measurement.
local none = {
  lwr_a1_joint = 0, lwr_a2_joint = 0, lwr_e1_joint = 0, lwr_a3_joint = 0, lwr_a4_joint = 0, lwr_a5_joint = 0,
  lwr_a6_joint = 0,
}

return { robot = { friction = none, damping = none } }
