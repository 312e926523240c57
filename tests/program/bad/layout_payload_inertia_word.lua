-- robot: ../../../robots/gen3.urdf
return {
  payload = { frame = "tool_frame", mass = 2,
    inertia = { ixx = 0.01, iyx = 0.01 },
  },
}
