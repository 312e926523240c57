-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar", independent = { "crank_joint" },
    ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } }, tolerance = 0 } },
}
--> linkage_tolerance.lua:3: error: the tolerance of a linkage is not positive
-->   remedy: give a number above zero
