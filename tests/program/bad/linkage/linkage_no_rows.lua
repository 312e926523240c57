-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin",
    to = "coupler_pin" } } } },
}
--> linkage_no_rows.lua:3: error: "linkages[1].ties[1]" has no rows
-->   remedy: name some: rows = { "lin_x", "lin_y", "lin_z" }
