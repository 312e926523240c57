-- robot: ../../../../robots/gen3.urdf
return { wrenches = { { name = "push", kind = "physical" } } }
--> layout_wrench_no_frame.lua:2: error: wrench "push" has no frame
-->   remedy: name the link it acts on: frame = ...
