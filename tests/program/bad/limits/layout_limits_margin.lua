-- robot: ../../../../robots/gen3.urdf
return {
  limits = { margin = 0 },
}
--> layout_limits_margin.lua:3: error: the margin [rad, m] is not positive
-->   remedy: give a number above zero
