-- robot: ../../../robots/gen3.urdf
return {
  limits = { margin = 0 },
}
