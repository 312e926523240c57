-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "M_PI", frame = "tool_frame", kind = "physical" } } }
--> layout_wrench_macro.lua:2: error: "M_PI" is a word of C or C++
-->   remedy: choose another name
