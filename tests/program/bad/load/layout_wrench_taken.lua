-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "gravity", frame = "tool_frame", kind = "physical" } } }
--> layout_wrench_taken.lua:2: error: a wrench cannot be named "gravity": another field is
-->   remedy: choose another name
