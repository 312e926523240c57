-- robot: ../../../robots/gen3.urdf
return {
  step = { time_step = "1 ms" },
}
