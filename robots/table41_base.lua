-- The mobile base of table 4.1 of Devaramani 2019: the ground keeps the base from heaving, rolling and
-- pitching, and each wheel from sliding along its axis. Its motion under torques and pushes is the result.
local groups = {
  { name = "ground", frame = "base_link", rows = { "lin_z", "ang_x", "ang_y" }, kind = "physical" },
}
for _, wheel in ipairs { "fl", "fr", "br", "bl" } do
  groups[#groups + 1] = {
    name = "wheel_" .. wheel, frame = "contact_" .. wheel, axes = "link", rows = { "lin_y" }, kind = "physical",
  }
end

return {
  base = "floating",
  torques = { physical = true, artificial = true },
  wrenches = { { name = "push", frame = "base_link", kind = "physical" } },
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
