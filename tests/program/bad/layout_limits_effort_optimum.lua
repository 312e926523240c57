-- robot: ../../../robots/gen3.urdf
return {
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame" } },
  limits = { effort = true },
}
