-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "trunk", frame = "trunk", wanted = "input" } },
}
--> layout_optimum_wanted.lua:5: error: group "trunk" is artificial: wanted is of forces of the environment
-->   remedy: leave it out
