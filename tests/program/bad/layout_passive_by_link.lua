-- robot: ../../../robots/gen3.urdf
return {
  passive = { "tool_frame" },
}
