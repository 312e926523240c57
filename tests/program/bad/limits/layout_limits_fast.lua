-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = { joint_1 = 5 }, velocity = { joint_2 = 1 }, period = 1e-3 },
}
--> layout_limits_fast.lua:3: error: joint "joint_2" has a limit of velocity and none of acceleration
-->   remedy: add it to acceleration: with that it is braked
