-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  groups = { { name = "trunk", frame = "trunk", priority = 2 } },
}
