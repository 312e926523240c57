-- robot: ../../../../robots/gen3.urdf
-- On the moon, on a wall, in orbit, on Jupiter: nothing odd.
local g = { { 0, 0, -1.62 }, { 9.81, 0, 0 }, { 0, 0, 0 }, { 0, 0, -24.8 }, { 8.6, 0, 4.7 } }
for k = 1, #g do assert(#g[k] == 3) end
return { gravity = g[5], groups = { { name = "tool", frame = "tool_frame" } } }
