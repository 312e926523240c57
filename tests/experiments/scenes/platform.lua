-- A wall to align with: 1 m in front, friction 1. The platform touches it with a round rubber bumper at each corner:
-- 0.05 m of radius, 0.3 m from the middle along both axes, which gives way within some 0.05 s.
local rubber = { friction = 1, time_constant = 0.05, damping_ratio = 1 }
local function bumper(x, y) return { kind = "sphere", radius = 0.05, position = { x, y, 0.2 }, surface = rubber } end

return {
  objects = {
    { name = "wall", kind = "wall", position = { 1, 0 }, yaw = 3.141592653589793, size = { 4, 1 } },
  },
  robot = {
    shapes = { base_link = { bumper(0.25, 0.25), bumper(0.25, -0.25), bumper(-0.25, 0.25), bumper(-0.25, -0.25) } },
  },
}
