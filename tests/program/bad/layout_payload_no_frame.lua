-- robot: ../../../robots/gen3.urdf
return {
  payload = { mass = 2 },
}
