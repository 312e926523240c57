-- The floor, and spheres as the feet of a quadruped, as step_drop.lua has them: for MuJoCo.
local shapes = { trunk = {} }
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  for _, link in ipairs { "hip", "thigh", "calf" } do shapes[leg .. "_" .. link] = {} end
  shapes[leg .. "_foot"] = { { kind = "sphere", radius = 0.02 } }
end

return { floor = true, robot = { shapes = shapes } }
