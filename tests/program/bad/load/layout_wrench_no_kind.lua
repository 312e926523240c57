-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "push", frame = "tool_frame" } } }
--> layout_wrench_no_kind.lua:2: error: wrench "push" has no kind
-->   remedy: kind = "physical" (the environment exerts it) or "artificial" (the motors are to exert it)
