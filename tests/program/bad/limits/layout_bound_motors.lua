-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, realise = "motors", passive = { "joint_7" },
  outputs = { "qdd", "bound" } }
--> layout_bound_motors.lua:3: error: "bound" cannot be used with realise = "motors"
-->   remedy: leave one of them out
