-- A quadruped that trots (robots/quadruped.urdf). Each foot is a contact while it stands and a row of its own while it
-- swings: the masks say which. Upright first, then where it goes. For a robot of your own: the names of its links.
local groups = {
  { name = "upright", frame = "trunk", rows = { "lin_z", "ang_x", "ang_y", "ang_z" }, priority = 1 },
  { name = "place", frame = "trunk", rows = { "lin_x", "lin_y" }, priority = 2 },
}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg .. "_swing", frame = leg .. "_foot", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true, priority = 1,
  }
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot", axes = "input", kind = "physical", maskable = true,
    contact = { normal = "lin_z", friction = "input" },
  }
end

return {
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  limits = { margin = 0.1 },
  groups = groups,
  outputs = { "nu", "tau_ctrl", pose = { "fl_foot", "fr_foot", "rl_foot", "rr_foot" } },
}
