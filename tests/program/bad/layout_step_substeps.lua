-- robot: ../../../robots/gen3.urdf
return {
  step = { substeps = 2.5 },
}
