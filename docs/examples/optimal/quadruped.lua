-- quadruped.lua: a quadruped on its four feet, for sway.c: the torques of its joints are given, and
-- the ground holds each foot in three directions; nu is what it pushes with.
local groups = {}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = { name = leg, frame = leg .. "_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" }
end

return {
  base = "floating",
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  groups = groups,
  outputs = {
    "qdd", "nu", "dqdd_dq", "dqdd_dqd", "dqdd_dtau", "dqdd_db", "dnu_dq", "dnu_dqd", "dnu_dtau", "dnu_db",
  },
}
