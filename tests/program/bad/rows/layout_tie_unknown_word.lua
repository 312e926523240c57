-- robot: ../../../../robots/four_bar.urdf
return { groups = { { name = "pin", frame = "rocker_pin", too = "coupler_pin", rows = { "lin_x" } } } }
--> layout_tie_unknown_word.lua:2: error: unknown word "too" in "groups[1]"
-->   remedy: did you mean "to"?
