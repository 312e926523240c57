-- robot: ../../../robots/gen3.urdf
return {
  gravity = { 0, -9.81 },
}
