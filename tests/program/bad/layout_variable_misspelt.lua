-- robot: ../../../robots/gen3.urdf
local groups = { { name = "tool", frame = "tool_frame" } }
return { groups = grups }
