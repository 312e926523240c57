-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin",
    rows = { "lin_x" } } } } },
}
--> linkage_tie_to.lua:3: error: "linkages[1].ties[1]" has no to
-->   remedy: name the link whose frame is meant
