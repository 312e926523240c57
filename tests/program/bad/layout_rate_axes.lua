-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", axes = "input",
      acceleration = "rate" },
  },
}
