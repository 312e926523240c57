-- robot: ../../../../robots/gen3.urdf
return { torques = { phyiscal = true } }
--> layout_torques_unknown.lua:2: error: unknown word "phyiscal" in "torques"
-->   remedy: did you mean "physical"?
