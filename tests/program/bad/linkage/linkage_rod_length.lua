-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, rods = { { frame = "rocker_pin",
    to = "coupler_pin" } } } },
}
--> linkage_rod_length.lua:3: error: "linkages[1].rods[1]" has no length
-->   remedy: give the distance of its two ends [m]
