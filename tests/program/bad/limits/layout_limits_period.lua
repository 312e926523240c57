-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5 },
}
--> layout_limits_period.lua:3: error: limits of acceleration need the period of the control
-->   remedy: add period = 1e-3 [s]
