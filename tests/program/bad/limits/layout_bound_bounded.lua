-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", bounds = { lin_x = { 0, 10 } } } },
  outputs = { "qdd", "bound" } }
--> layout_bound_bounded.lua:3: error: "bound" cannot be used with bounded rows
-->   remedy: leave it out: achd_mclp_check tells how good nu is
