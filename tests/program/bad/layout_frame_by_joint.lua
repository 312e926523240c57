-- robot: ../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", rows = { "lin_x" },
      frame = "end_effector" },
  },
}
