-- robot: ../../../../robots/gen3.urdf
return { groups = { name = "tool", frame = "tool_frame" } }
--> layout_group_no_list.lua:2: error: "groups" is a list of groups, but has a key "frame"
-->   remedy: put each into braces of its own: groups = { { name = ... } }
