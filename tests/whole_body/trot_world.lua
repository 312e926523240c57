-- Where the quadruped trots: a floor; in lanes beside it stairs of 5 cm, a ramp of 10 degrees, a block of 3 cm,
-- and a sheet of ice.
local function foot() return { { kind = "sphere", radius = 0.02 } } end
local posture, shapes = {}, { trunk = { { kind = "box", size = { 0.4, 0.18, 0.1 } } } }
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  local outward = leg:sub(2) == "l" and 0.12 or -0.12
  posture[leg .. "_hip_joint"], posture[leg .. "_thigh_joint"], posture[leg .. "_calf_joint"] = outward, 0.75, -1.5
  shapes[leg .. "_foot"], shapes[leg .. "_hip"], shapes[leg .. "_thigh"], shapes[leg .. "_calf"] = foot(), {}, {}, {}
end
local rubber = { friction = 0.8, time_constant = 0.005 }
local objects = {
  { name = "ramp", kind = "box", size = { 6, 3, 0.2 }, position = { 4.4718, -10, 0.42247 }, rpy = { 0, -0.1745329, 0 },
    surface = rubber },
  { name = "block", kind = "box", size = { 1, 0.5, 0.03 }, position = { 1.9, 20.25, 0.015 }, surface = rubber },
  { name = "ice", kind = "box", size = { 0.3, 0.4, 0.01 }, position = { 1.4, 30.22, 0 },
    surface = { friction = 0.12, time_constant = 0.005 } },
}
for step = 1, 4 do
  local begins = 1.1 + 0.4 * step
  objects[#objects + 1] = {
    name = "stair_" .. step, kind = "box", size = { 6 - begins, 3, 0.05 },
    position = { (6 + begins) / 2, 10, 0.05 * step - 0.025 }, surface = rubber,
  }
end

return {
  floor = { surface = rubber },
  objects = objects,
  robot = { position = { 0, 0, 0.3149 }, posture = posture, shapes = shapes },
}
