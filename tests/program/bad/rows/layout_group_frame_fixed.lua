-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "base_link" } } }
--> layout_group_frame_fixed.lua:2: error: frame "base_link" of group "tool" does not move: it is fixed to the base
-->   remedy: name a link that a joint moves, or let the base move: base = "floating" or "planar"
