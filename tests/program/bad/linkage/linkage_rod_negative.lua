-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar",
    independent = { "crank_joint" }, rods = { { frame = "rocker_pin", to = "coupler_pin", length = -1 } } } },
}
--> linkage_rod_negative.lua:3: error: the length of a rod is not positive
-->   remedy: give a number above zero
