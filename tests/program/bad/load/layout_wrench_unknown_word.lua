-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "push", frame = "tool_frame", kind = "physical", axes = "link" } } }
--> layout_wrench_unknown_word.lua:2: error: unknown word "axes" in "wrenches[1]"
-->   remedy: there is "name", "frame", "kind"
