-- robot: ../../../robots/gen3.urdf
return {
  friction = "input", saturate = true,
}
