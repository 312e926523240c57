-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = { joint_1 = -5 }, period = 1e-3 },
}
--> layout_limits_acceleration.lua:3: error: the largest acceleration of joint_1 is not positive
-->   remedy: give a number above zero
