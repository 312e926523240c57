-- robot: ../../../robots/gen3.urdf
return {
  realise = "optimum",
  joint_limits = { joint_2 = { effort = false } },
  groups = { { name = "tool", frame = "tool_frame" } },
}
