-- robot: ../../../robots/gen3.urdf
return { inertia_inputs = { "bracelet" } }
