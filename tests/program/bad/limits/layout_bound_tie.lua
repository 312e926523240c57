-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tie", frame = "half_arm_1_link", to = "tool_frame", rows = { "lin_x" } } },
  outputs = { "qdd", "bound" } }
--> layout_bound_tie.lua:3: error: "bound" cannot be used with rows between two frames
-->   remedy: leave one of them out
