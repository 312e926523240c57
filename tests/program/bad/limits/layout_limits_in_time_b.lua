-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3, b = "input" },
}
--> layout_limits_in_time_b.lua:3: error: "b" cannot be used with limits of acceleration, from which it follows
-->   remedy: leave it out
