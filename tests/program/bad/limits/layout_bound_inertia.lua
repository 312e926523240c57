-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, inertia_inputs = { "bracelet_link" },
  outputs = { "qdd", "bound" } }
--> layout_bound_inertia.lua:3: error: "bound" needs inertias that are known when the header is made, and inertia_inputs gives some at run time
-->   remedy: leave one of them out
