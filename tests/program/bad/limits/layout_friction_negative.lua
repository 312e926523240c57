-- robot: ../../../../robots/gen3.urdf
return {
  friction = { joint_1 = -2 },
}
--> layout_friction_negative.lua:3: error: friction is negative
-->   remedy: give a number of zero or more
