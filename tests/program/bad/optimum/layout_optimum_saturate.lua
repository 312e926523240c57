-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  saturate = true,
  groups = { { name = "fl", frame = "fl_foot" } },
}
--> layout_optimum_saturate.lua:5: error: "saturate" cannot be used with realise = "optimum"
-->   remedy: leave it out: the torques are within the effort limits
