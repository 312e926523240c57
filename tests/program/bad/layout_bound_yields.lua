-- robot: ../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", over = "yields" } },
  wrenches = { { name = "push", frame = "tool_frame", kind = "artificial" } }, outputs = { "qdd", "bound" } }
