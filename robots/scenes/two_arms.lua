-- A box of 1.5 kg on a narrow table, between two hands with rubber pads.
local function pad() return { { kind = "box", size = { 0.08, 0.08, 0.02 }, position = { 0, 0, 0.01 } } } end
local posture, shapes = {}, { left_hand = pad(), right_hand = pad(), torso = {}, pedestal = {} }
local at = {
  left = { -0.3006, 1.613, 1.6203, -1.2685, -1.5452, -1.6306, 0.9697 },
  right = { 0.2348, 1.4202, 1.6929, -1.0564, 1.3797, -1.5397, -0.8093 },
}
for side, angles in pairs(at) do
  for k, angle in ipairs(angles) do
    posture[side .. "_joint_" .. k], shapes[side .. "_link_" .. k] = angle, {}
  end
end

return {
  floor = true,
  objects = {
    { name = "stand", kind = "table", height = 0.95, size = { 0.2, 0.14 }, position = { 0.5, 0 } },
    {
      name = "parcel", kind = "package", size = { 0.3, 0.24, 0.2 }, mass = 1.5, position = { 0.5, 0, 1.05 },
      surface = { friction = 0.8, time_constant = 0.005 },
    },
  },
  robot = { posture = posture, shapes = shapes },
}
