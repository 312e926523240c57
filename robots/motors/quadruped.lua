-- A quadruped that moves its trunk: six rows on the trunk, three on each foot, which stands. Motors and ground alone
-- realise the trunk's rows; a foot that swings gets masks 0.
local groups = { { name = "trunk", frame = "trunk" } }
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg .. "_contact", frame = leg .. "_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical",
    maskable = true,
  }
end

return {
  base = "floating",
  torques = { artificial = true },
  realise = "motors",
  groups = groups,
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
