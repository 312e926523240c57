-- robot: ../../../../robots/gen3.urdf
return {
  limits = { joints = { "joint_1" } },
}
--> layout_limits_joint.lua:3: error: joint "joint_1" has no limits
-->   remedy: leave it out
