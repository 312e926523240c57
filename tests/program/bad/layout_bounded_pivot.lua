-- robot: ../../../robots/gen3.urdf
return {
  friction = "input", outputs = { "qdd", "pivot" },
}
