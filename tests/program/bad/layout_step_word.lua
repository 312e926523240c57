-- robot: ../../../robots/gen3.urdf
return {
  step = { period = 1e-3 },
}
