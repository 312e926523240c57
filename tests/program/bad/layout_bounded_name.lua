-- robot: ../../../robots/gen3.urdf
return {
  limits = {}, groups = { { name = "limits", frame = "tool_frame" } },
}
