-- robot: ../../../robots/gen3.urdf
local groups = {}
for k = 1, 34 do groups[k] = { name = "g" .. k, frame = "tool_frame" } end
return {
  groups = groups,
}
