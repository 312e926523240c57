-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tie", frame = "half_arm_1_link", to = "tool_frame", rows = { "lin_x" } } },
  outputs = { "qdd", "bound" } }
