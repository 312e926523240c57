-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 0.2 },
}
--> layout_limits_rate.lua:3: error: the rate times the period is above 1: what comes back from beyond would swing
-->   remedy: give 5 [1/s] at most
