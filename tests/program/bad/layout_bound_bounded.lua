-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", bounds = { lin_x = { 0, 10 } } } },
  outputs = { "qdd", "bound" } }
