-- robot: ../../../../robots/gen3.urdf
return {
  motors = { joint_1 = { coulomb = -1 } },
}
--> coulomb_negative.lua:3: error: the dry friction of motor "joint_1" is negative
-->   remedy: give a number of zero or more
