-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, saturate = true, outputs = { "qdd", "bound" } }
--> layout_bound_saturate.lua:2: error: "bound" cannot be used with saturate: it bounds the errors of the requested motion, and clamped torques cause another one
-->   remedy: leave one of them out
