-- The mobile base of robots/table41_base.urdf on a plane: a wall, a bump and sliding wheels. The corners of the base
-- are the origins of its pivots.
local wheels = { "fl", "fr", "br", "bl" }
local groups = {
  { name = "left", frame = "pivot_fl", rows = { "lin_x" }, kind = "physical", maskable = true, bounds = "input" },
  { name = "right", frame = "pivot_fr", rows = { "lin_x" }, kind = "physical", maskable = true, bounds = "input" },
}
local wrenches = {
  { name = "push", frame = "base_link", kind = "physical" },
  { name = "at_left", frame = "pivot_fl", kind = "physical" },
  { name = "at_right", frame = "pivot_fr", kind = "physical" },
}
local frames = { "pivot_fl", "pivot_fr" }
for _, w in ipairs(wheels) do
  groups[#groups + 1] = { name = w, frame = "wheel_" .. w, axes = "link", rows = { "lin_y" }, kind = "physical",
    friction = 0.5 }
  wrenches[#wrenches + 1] = { name = "at_" .. w, frame = "wheel_" .. w, kind = "physical" }
  frames[#frames + 1] = "wheel_" .. w
end
return {
  name = "cart",
  base = "planar",
  gravity = { 0, 0, 0 },
  wrenches = wrenches,
  groups = groups,
  outputs = { "qdd", "nu", pose = frames, twist = frames },
}
