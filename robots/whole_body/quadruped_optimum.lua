-- A quadruped that stands on any of its feet, with forces within their cones of friction and torques within the motors'
-- limits. Where these do not allow all demands, it keeps upright first (height and orientation of the trunk,
-- the foot that swings), and then moves to its place as fast as they allow.
local swing = { "lin_x", "lin_y", "lin_z" }
local groups = {
  { name = "upright", frame = "trunk", rows = { "lin_z", "ang_x", "ang_y", "ang_z" }, priority = 1 },
  { name = "place", frame = "trunk", rows = { "lin_x", "lin_y" }, priority = 2 },
  { name = "swing", frame = "fl_foot", rows = swing, maskable = true, priority = 1 },
}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot", maskable = leg == "fl", kind = "physical",
    contact = { normal = "lin_z", friction = "input" },
  }
end

return {
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  limits = { margin = 0.1 },
  groups = groups,
  outputs = { "nu", "tau_ctrl" },
}
