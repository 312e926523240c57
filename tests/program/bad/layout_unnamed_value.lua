-- robot: ../../../robots/gen3.urdf
return {
  name = "arm",
  "qdd",
}
