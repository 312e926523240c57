-- A quadruped that stands on any of its feet and moves its trunk, a foot in the air: six rows on the trunk, three on
-- each foot that stands, three on the foot that swings. Motors and ground alone realise the rows; masks say which feet
-- stand.
local groups = {
  { name = "trunk", frame = "trunk" },
  { name = "swing", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true },
}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical",
    maskable = leg == "fl",
  }
end

return {
  base = "floating",
  gravity = { 0, 0, -9.81 },
  realise = "motors",
  saturate = "scale",
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "scale" },
}
