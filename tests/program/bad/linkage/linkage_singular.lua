-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin",
    rows = { "lin_x", "lin_y" } } }, start = { coupler_joint = -1, rocker_joint = -2 } } },
}
--> linkage_singular.lua:3: error: the rows of linkage "bar" do not determine its dependent joints: some rows follow from others, or nothing moves along them
-->   remedy: name the directions in which the loop can move apart
