-- robot: ../../../robots/gen3.urdf
return { tips = { "forearm_link" }, inertia_inputs = { "bracelet_link" } }
