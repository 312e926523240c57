-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 1e-3, margin = 0.1 },
}
