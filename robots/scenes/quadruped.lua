-- A quadruped on a floor, its feet balls of rubber.
local function foot() return { { kind = "sphere", radius = 0.02 } } end
local posture = {}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  local outward = leg:sub(2) == "l" and 0.12 or -0.12
  posture[leg .. "_hip_joint"], posture[leg .. "_thigh_joint"], posture[leg .. "_calf_joint"] = outward, 0.75, -1.5
end

return {
  floor = { surface = { friction = 0.8, time_constant = 0.005 } },
  robot = {
    position = { 0, 0, 0.3149 }, -- its feet touch the floor; other parts of the legs do not
    posture = posture,
    shapes = {
      fl_foot = foot(), fr_foot = foot(), rl_foot = foot(), rr_foot = foot(),
      fl_hip = {}, fr_hip = {}, rl_hip = {}, rr_hip = {}, fl_thigh = {}, fr_thigh = {}, rl_thigh = {}, rr_thigh = {},
      fl_calf = {}, fr_calf = {}, rl_calf = {}, rr_calf = {},
      trunk = { { kind = "box", size = { 0.4, 0.18, 0.1 } } },
    },
  },
}
