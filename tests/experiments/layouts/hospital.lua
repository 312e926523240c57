-- A platform that people push through a corridor: it feels light, stays inside an area and below a speed. One group for
-- each corner of the platform, a row for each side of the area; then speeds. Rows only ever hold it back: nu <= 0.
local back = { -math.huge, 0 }
local groups = {}
for k = 1, 4 do
  groups[k] = { name = "corner_" .. k, frame = "base_link", rows = 5, bounds = back }
end
groups[5] = { name = "speed", frame = "base_link", rows = 1, bounds = back }
groups[6] = { name = "turning", frame = "base_link", rows = 2, bounds = back }
return {
  base = "planar",
  gravity = { 0, 0, 0 },
  wrenches = { { name = "feel", frame = "base_link", kind = "artificial" } },
  groups = groups,
  outputs = { "nu" },
}
