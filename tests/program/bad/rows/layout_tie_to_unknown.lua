-- robot: ../../../../robots/four_bar.urdf
return { groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pn" } } }
--> layout_tie_to_unknown.lua:2: error: the robot has no link "coupler_pn"
-->   remedy: did you mean "coupler_pin" or "coupler"?
