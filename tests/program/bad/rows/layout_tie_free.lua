-- robot: ../../../../robots/four_bar.urdf
return { groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = 2 } } }
--> layout_tie_free.lua:2: error: tie "pin" has no free directions
-->   remedy: name its rows: rows = { "lin_x", "lin_y" }
