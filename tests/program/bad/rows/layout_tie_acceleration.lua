-- robot: ../../../../robots/four_bar.urdf
return {
  groups = {
    {
      name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x" },
      acceleration = "spatial",
    },
  },
}
--> layout_tie_acceleration.lua:6: error: tie "pin" always has the second derivative of the residual as b
-->   remedy: leave acceleration out
