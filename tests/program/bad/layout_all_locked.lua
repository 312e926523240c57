-- robot: ../../../robots/arm1dof.urdf
return {
  gravity = "input",
  locked = { joint1 = 0.5 },
}
