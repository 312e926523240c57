-- robot: ../../../robots/gen3.urdf
return {
  payload = {
    frame = "base_link",
    mass = 2,
  },
}
