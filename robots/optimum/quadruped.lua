-- A quadruped that stands: its trunk is moved as the six rows ask, by the torques of its motors alone, within their
-- limits, and with feet that push within their cones of friction. A foot that is lifted gets masks 0.
local groups = {
  { name = "trunk", frame = "trunk", maskable = true },
}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot", maskable = true, kind = "physical",
    contact = { normal = "lin_z", friction = "input" },
  }
end

return {
  name = "standing",
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  limits = { margin = 0.1 },
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "residual" },
}
