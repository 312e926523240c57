-- A youBot in front of a wall, a sponge in its gripper.
local arm = { 2.96706, 1.434, -1.648, 2.159, 2.92343 }
local sponge = { friction = 0.05, time_constant = 0.04, impedance = 0.3 } -- wet, and gives way
local posture, friction, damping = {}, {}, {}
for k, angle in ipairs(arm) do
  local joint = "arm_joint_" .. k
  posture[joint], friction[joint], damping[joint] = angle, 0.05, 0.05 -- the URDF's friction, 1 of each, is no measurement
end

return {
  objects = {
    { name = "board", kind = "wall", position = { 0.64, 0 }, yaw = 3.14159265, size = { 1.2, 1.2 }, surface = { friction = 0.05 } },
  },
  robot = {
    position = { 0, 0, 0.1 },
    posture = posture,
    friction = friction,
    damping = damping,
    no_contact = { "base_link" },
    shapes = {
      gripper_palm_link = { { kind = "sphere", radius = 0.02, position = { 0, 0, 0.08 }, surface = sponge } },
      gripper_finger_link_l = {}, gripper_finger_link_r = {},
    },
  },
}
