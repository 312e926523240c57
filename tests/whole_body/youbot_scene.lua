-- A youBot on a floor in front of a wall, a sponge in its gripper. Its rollers (rollers.awk) alone touch the floor.
local arm = { 2.96706, 1.434, -1.648, 2.159, 2.92343 }
local sponge = { friction = 0.05, time_constant = 0.04, impedance = 0.3 } -- wet, and gives way
local posture, friction, damping = {}, {}, {}
local shapes = {
  gripper_palm_link = { { kind = "sphere", radius = 0.02, position = { 0, 0, 0.08 }, surface = sponge } },
  gripper_finger_link_l = {}, gripper_finger_link_r = {},
}

-- The URDF's friction of joints, 1 of each, is no measurement.
for k, angle in ipairs(arm) do
  local joint = "arm_joint_" .. k
  posture[joint], friction[joint], damping[joint] = angle, 0.05, 0.05
end

-- Ellipsoids whose middle runs along the wheel's rim: half of their length is sqrt(2 r (R - r)), r = 0.0125, R = 0.05.
for _, corner in ipairs { "fl", "fr", "bl", "br" } do
  local wheel = "wheel_joint_" .. corner
  local yaw = (corner == "fl" or corner == "br") and -math.pi / 4 or math.pi / 4
  friction[wheel], damping[wheel] = 0.02, 0.005
  shapes["caster_link_" .. corner], shapes["wheel_link_" .. corner] = {}, {}
  for k = 0, 11 do
    local roller = "roller_" .. corner .. "_" .. k
    shapes[roller] = { { kind = "ellipsoid", size = { 0.06124, 0.025, 0.025 }, rpy = { 0, 0, yaw } } }
    friction[roller .. "_joint"], damping[roller .. "_joint"] = 1e-4, 1e-5
  end
end

return {
  floor = { surface = { friction = 0.8 } }, -- MuJoCo's default softness: rollers of rubber
  objects = {
    { name = "board", kind = "wall", position = { 0.64, 0 }, yaw = 3.14159265, size = { 1.2, 1.2 },
      surface = { friction = 0.05 } },
  },
  robot = {
    position = { 0, 0, 0.0839 }, -- its rollers touch the floor
    posture = posture,
    friction = friction,
    damping = damping,
    no_contact = { "base_link" },
    shapes = shapes,
  },
}
