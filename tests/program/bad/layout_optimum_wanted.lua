-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = { { name = "trunk", frame = "trunk", wanted = "input" } },
}
