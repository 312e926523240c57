-- robot: ../../../../robots/gen3.urdf
return {
  locked = {
    joint_1 = 0,
    joint_8 = 0,
  },
}
--> layout_locked_unknown.lua:5: error: the robot has no moving joint "joint_8"
-->   remedy: did you mean "joint_1", "joint_2" or "joint_3"?
