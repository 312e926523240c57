-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin",
    rows = { "lin_x" } } } } },
}
--> linkage_too_few_rows.lua:3: error: linkage "bar" has 1 row for 2 dependent joints: "coupler_joint", "rocker_joint"
-->   remedy: name as many rows as dependent joints: leave out rows along which nothing can move, or name other independent joints
