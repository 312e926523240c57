-- robot: ../../../robots/gen3.urdf
return {
  gravity = "input",
  grups = {},
}
