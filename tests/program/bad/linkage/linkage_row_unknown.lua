-- robot: ../../../../robots/four_bar.urdf
return { linkages = { { name = "bar", independent = {
    "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_q" } } } } },
}
--> linkage_row_unknown.lua:3: error: unknown row "lin_q"
-->   remedy: did you mean "lin_x", "lin_y" or "lin_z"?
