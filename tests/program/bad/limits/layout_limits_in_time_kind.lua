-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3, kind = "physical" },
}
--> layout_limits_in_time_kind.lua:3: error: limits of velocity and acceleration are kept by motors
-->   remedy: leave kind out
