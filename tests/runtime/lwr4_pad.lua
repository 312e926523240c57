-- The LWR 4 with a pad to wipe with: six rows at the pad's bottom.
local arm = include("lwr4_controlled.lua")
arm.wrenches[1].frame, arm.wrenches[2].frame, arm.groups[1].frame = "pad", "pad", "pad"
arm.outputs.pose, arm.outputs.twist = { "pad" }, { "pad" }
return arm
