-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", acceleration = true } } }
--> layout_group_acceleration.lua:2: error: "groups[1].acceleration" is true or false, not "classical" or "spatial" or "rate"
-->   remedy: write "classical" or "spatial" or "rate" there
