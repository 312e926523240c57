-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { independent = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x",
    "lin_z" } } } } },
}
--> linkage_no_name.lua:3: error: a linkage has no name
-->   remedy: give it one: name = ...
