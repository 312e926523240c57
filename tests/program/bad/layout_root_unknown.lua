-- robot: ../../../robots/gen3.urdf
return {
  root = "base_lnk",
}
