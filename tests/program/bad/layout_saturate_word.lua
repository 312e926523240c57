-- robot: ../../../robots/gen3.urdf
return {
  saturate = "scaled",
}
