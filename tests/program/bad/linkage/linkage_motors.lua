-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin",
    to = "coupler_pin", rows = { "lin_x", "lin_z" } } }, motors = { "crank_joint", "rocker_joint" } } },
}
--> linkage_motors.lua:3: error: linkage "bar" has 2 motors for 1 independent joints
-->   remedy: name one for each, or leave motors out
