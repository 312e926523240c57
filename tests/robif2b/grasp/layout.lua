-- The Gen3 with a gripper, as experiments have it, upright: the loop wants gravity as a constant.
local arm = include("gen3_gripper.lua")
arm.gravity = { 0, 0, -9.81 }
return arm
