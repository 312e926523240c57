-- robot: ../../../../robots/four_bar.urdf
return {
  groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", axes = "base", rows = { "lin_x" } } },
}
--> layout_tie_axes.lua:3: error: tie "pin" has its rows along the axes of its frame
-->   remedy: leave axes out, and name as frame the link whose axes are meant
