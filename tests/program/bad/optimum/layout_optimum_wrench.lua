-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  wrenches = { { name = "push", frame = "trunk", kind = "artificial" } },
  groups = { { name = "fl", frame = "fl_foot" } },
}
--> layout_optimum_wrench.lua:5: error: artificial wrench "push" cannot be used with realise = "optimum"
-->   remedy: give a contact a wanted force: wanted = "input"
