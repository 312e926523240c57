-- robot: ../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    inertia = { 0.01, 0.02 },
  },
}
