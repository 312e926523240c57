-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", kind = "artifical" } } }
--> layout_group_kind.lua:2: error: "groups[1].kind" is "artifical"
-->   remedy: write "artificial" or "physical"
