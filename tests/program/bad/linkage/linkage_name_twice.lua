-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar", independent = { "crank_joint" }, ties = {
    { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } } }, { name = "bar", independent = {
    "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } } } },
}
--> linkage_name_twice.lua:3: error: two linkages are named "bar"
-->   remedy: give each its own name
