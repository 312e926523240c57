-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, inertia_inputs = { "bracelet_link" },
  outputs = { "qdd", "bound" } }
