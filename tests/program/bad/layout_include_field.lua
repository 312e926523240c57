-- robot: ../../../robots/gen3.urdf
local arm = include("include/arm.lua")
return {
  effort = { joint_1 = 39 },
  groups = arm.task.groups,
}
