-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, payload = { frame = "tool_frame", mass = "input" },
  outputs = { "qdd", "bound" } }
--> layout_bound_payload.lua:3: error: "bound" needs inertias that are known when the header is made, and the payload comes at run time
-->   remedy: leave one of them out
