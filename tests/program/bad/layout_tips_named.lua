-- robot: ../../../robots/gen3.urdf
return { tips = { hand = "tool_frame" } }
