-- robot: ../../../robots/gen3.urdf
return {
  limits = { joints = { "joint_1" } },
}
