-- robot: ../../../robots/gen3.urdf
return {
  limits = { velocity = "urdf" },
}
