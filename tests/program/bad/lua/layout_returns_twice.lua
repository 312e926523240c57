-- robot: ../../../../robots/gen3.urdf
local function group(name)
  return { name = name, frame = "tool_frame", rows = 1 }
end
if math.pi > 4 then return { grups = {} } end
return {
  groups = { group("a"), group("b") },
  singular_threshold = 2,
}
--> layout_returns_twice.lua:8: error: "singular_threshold" is 2
-->   remedy: give a relative pivot between 0 and 1: 1e-6
