-- robot: ../../../../robots/gen3.urdf
return { wrenches = { "push" } }
--> layout_wrench_text.lua:2: error: "wrenches[1]" is text, not a wrench: { name = ..., frame = ..., kind = ... }
-->   remedy: write a wrench: { name = ..., frame = ..., kind = ... } there
