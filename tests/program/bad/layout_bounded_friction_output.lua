-- robot: ../../../robots/gen3.urdf
return {
  limits = {}, outputs = { "tau_friction" },
}
