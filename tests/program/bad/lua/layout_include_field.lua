-- robot: ../../../../robots/gen3.urdf
local arm = include("include/arm.lua")
return {
  effort = { joint_1 = 39 },
  groups = arm.task.groups,
}
--> include/arm.lua:5: error: unknown row "lin_w"
-->   remedy: did you mean "lin_x", "lin_y" or "lin_z"?
