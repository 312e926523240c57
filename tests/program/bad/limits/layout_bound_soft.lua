-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", compliance = 0.1 } }, outputs = { "qdd", "bound" } }
--> layout_bound_soft.lua:2: error: "bound" cannot be used with soft rows
-->   remedy: leave one of them out
