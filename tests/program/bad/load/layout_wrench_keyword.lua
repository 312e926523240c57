-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "register", frame = "tool_frame", kind = "physical" } } }
--> layout_wrench_keyword.lua:2: error: "register" is a word of C or C++
-->   remedy: choose another name
