-- A quadruped with dry friction in every joint, as a program that knows it commands it: its trunk is moved by motors
-- and feet that push within their cones. The foot fl is set free of the ground, moved, and left: what its leg does then
-- is left to its friction.
local groups = {
  { name = "trunk", frame = "trunk" },
  { name = "swing", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true },
}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot", maskable = leg == "fl", kind = "physical",
    contact = { normal = "lin_z", friction = 0.7 },
  }
end

return {
  base = "floating",
  realise = "motors",
  gravity = { 0, 0, -9.81 },
  friction = { coulomb = "input", period = 1e-3 },
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction" },
}
