-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independent = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "rocker",
    rows = { "lin_x" } } } } },
}
--> linkage_rigid.lua:3: error: linkage "bar" ties "rocker_pin" and "rocker", which are rigidly connected
-->   remedy: tie links with a moving joint between them
