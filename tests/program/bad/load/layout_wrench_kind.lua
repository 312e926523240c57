-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "push", frame = "tool_frame", kind = "real" } } }
--> layout_wrench_kind.lua:2: error: "wrenches[1].kind" is "real"
-->   remedy: write "physical" or "artificial"
