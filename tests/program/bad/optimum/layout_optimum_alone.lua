-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  groups = { { name = "trunk", frame = "trunk", priority = 2 } },
}
--> layout_optimum_alone.lua:4: error: "priority" is a word of realise = "optimum"
-->   remedy: write realise = "optimum", or leave it out
