-- quadruped.lua: a step of a quadruped on its four feet and its derivatives, for sway.c; the feet are points.
local contacts = {}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  contacts[#contacts + 1] = { name = leg, frame = leg .. "_foot", kind = "point" }
end

return {
  base = "floating",
  gravity = { 0, 0, -9.81 },
  groups = {},
  contacts = contacts,
  step = { time_step = 5e-3 },
}
