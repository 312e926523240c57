-- The mobile base of table 4.1 of Devaramani 2019, free, without gravity: the ground keeps it from heaving, rolling and
-- pitching, and each wheel from sliding along its axis. The rows are artificial: tau_ctrl is what the table calls the
-- joint torques of the constraints.
local groups = { { name = "ground", frame = "base_link", rows = { "lin_z", "ang_x", "ang_y" } } }
for _, wheel in ipairs { "fl", "fr", "br", "bl" } do
  groups[#groups + 1] = { name = "wheel_" .. wheel, frame = "contact_" .. wheel, axes = "link", rows = { "lin_y" } }
end
return {
  base = "floating",
  gravity = { 0, 0, 0 },
  torques = { physical = true },
  wrenches = { { name = "push", frame = "base_link", kind = "physical" } },
  groups = groups,
  outputs = { "qdd", "tau_ctrl" },
}
