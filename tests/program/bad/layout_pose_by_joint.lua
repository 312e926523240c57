-- robot: ../../../robots/gen3.urdf
return {
  outputs = { "qdd", pose = { "tool_frame", "joint_7" } },
}
