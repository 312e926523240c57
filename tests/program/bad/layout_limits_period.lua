-- robot: ../../../robots/gen3.urdf
return {
  limits = { acceleration = 5 },
}
