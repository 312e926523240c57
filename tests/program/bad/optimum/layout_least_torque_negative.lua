-- robot: ../../../../robots/gen3.urdf
return {
  friction = { joint_1 = 2 },
  least_torque = { joint_2 = -1 },
}
--> layout_least_torque_negative.lua:4: error: the weight of a torque is negative
-->   remedy: give a number of zero or more
