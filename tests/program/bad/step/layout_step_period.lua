-- robot: ../../../../robots/gen3.urdf
return {
  step = { time_step = 0 },
}
--> layout_step_period.lua:3: error: the period of the steps [s] is not positive
-->   remedy: give a number above zero
