-- sway_scene.lua: the ground under the feet of sway.c, which are small spheres.
local shapes = { trunk = {} }
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  for _, link in ipairs { "hip", "thigh", "calf" } do shapes[leg .. "_" .. link] = {} end
  shapes[leg .. "_foot"] = { { kind = "sphere", radius = 0.01 } }
end

return {
  floor = { height = -0.01, surface = { friction = 0.8 } },
  robot = { shapes = shapes },
}
