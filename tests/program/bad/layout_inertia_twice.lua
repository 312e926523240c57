-- robot: ../../../robots/gen3.urdf
return { inertia_inputs = { "bracelet_link",
  "bracelet_link" } }
