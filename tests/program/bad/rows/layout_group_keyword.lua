-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "while", frame = "tool_frame" } } }
--> layout_group_keyword.lua:2: error: "while" is a word of C or C++
-->   remedy: choose another name
