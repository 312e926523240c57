-- robot: ../../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_9 = 2 } },
}
--> layout_friction_joint.lua:3: error: the robot has no moving joint "joint_9"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
