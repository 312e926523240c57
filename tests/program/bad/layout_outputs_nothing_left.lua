-- robot: ../../../robots/gen3.urdf
return {
  groups = {},
  outputs = { "nu", "pivot_min" },
}
