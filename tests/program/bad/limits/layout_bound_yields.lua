-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", over = "yields" } },
  wrenches = { { name = "push", frame = "tool_frame", kind = "artificial" } }, outputs = { "qdd", "bound" } }
--> layout_bound_yields.lua:3: error: "bound" cannot be used with rows that yield: what they ask for is itself a result
-->   remedy: leave one of them out
