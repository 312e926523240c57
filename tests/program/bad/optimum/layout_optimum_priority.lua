-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "trunk", frame = "trunk", priority = 6 } },
}
--> layout_optimum_priority.lua:5: error: the priority of group "trunk" is 6
-->   remedy: write a whole number, 1 to 5
