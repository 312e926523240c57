-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" } } },
}
--> linkage_no_ties.lua:3: error: linkage "bar" has neither ties nor rods
-->   remedy: name what closes it: ties = { { frame = ..., to = ..., rows = { ... } } }
