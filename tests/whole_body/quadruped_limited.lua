-- The quadruped of quadruped_friction.lua, by the best torques within the limits of motors, of which those of the knees
-- are weaker than its motion needs.
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
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  friction = { coulomb = "input", period = 1e-3 },
  effort = { fl_calf_joint = 13, fr_calf_joint = 13, rl_calf_joint = 13, rr_calf_joint = 13 },
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "tau_friction" },
}
