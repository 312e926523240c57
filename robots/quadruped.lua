-- A quadruped on its feet: three rows hold each foot where it stands. A foot that swings gets
-- masks 0. The ground produces them: nu is the force on each foot, and base.acc what the trunk does under
-- the joint torques that are given.
local groups = {}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg .. "_contact", frame = leg .. "_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical",
    maskable = true,
  }
end

return {
  base = "floating",
  torques = { artificial = true },
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
