-- robot: ../../../robots/gen3.urdf
local function group(name)
  return { name = name, frame = "tool_frame", rows = 1 }
end
if math.pi > 4 then return { grups = {} } end
return {
  groups = { group("a"), group("b") },
  singular_threshold = 2,
}
