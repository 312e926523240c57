-- robot: ../../../robots/gen3.urdf
return {
  groups = { { name = "elbow", joint = "forearm_link" } },
}
