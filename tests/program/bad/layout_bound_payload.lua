-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame" } }, payload = { frame = "tool_frame", mass = "input" },
  outputs = { "qdd", "bound" } }
