-- robot: ../../../robots/gen3.urdf
return {
  step = {
    integrator = "euler",
  },
}
