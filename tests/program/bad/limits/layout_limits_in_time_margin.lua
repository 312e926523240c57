-- robot: ../../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3, margin = 0.1 },
}
--> layout_limits_in_time_margin.lua:3: error: "margin" has no meaning where all joints have limits of acceleration
-->   remedy: leave it out: they are braked where they have to be
