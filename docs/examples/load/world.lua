-- arm.lua for the simulated world: the gripper without its fingers of 30 g each, which add_fingers.sh adds as bodies.
local arm = include("arm.lua")
arm.payload.mass = 0.865
return arm
