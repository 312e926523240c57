-- robot: ../../../robots/gen3.urdf
return {
  step = { time_step = 0 },
}
