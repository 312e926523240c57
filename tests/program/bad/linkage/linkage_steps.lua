-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar", independent = { "crank_joint" },
    ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } }, steps = 0 } },
}
--> linkage_steps.lua:3: error: a linkage is closed by 0 steps
-->   remedy: write a whole number from 1 to 10
