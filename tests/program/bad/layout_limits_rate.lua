-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = 5, period = 0.2 },
}
