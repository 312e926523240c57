-- robot: ../../../../robots/four_bar.urdf
return {
  passive = { "rocker_joint" },
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin",
    rows = { "lin_x", "lin_z" } } } } },
}
--> linkage_passive_dependent.lua:3: error: joint "rocker_joint" is a dependent joint of a linkage
-->   remedy: name an independent one, or make this one independent
