-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, realise = "motors", passive = { "joint_7" },
  outputs = { "qdd", "bound" } }
