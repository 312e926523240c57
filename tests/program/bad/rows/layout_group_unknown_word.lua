-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", mask = true } } }
--> layout_group_unknown_word.lua:2: error: unknown word "mask" in "groups[1]"
-->   remedy: did you mean "maskable"?
