-- swing_scene.lua: the wall of swing.c; elbow, wrist and tool have nearly the size that the optimiser gives them.
local ball = { { kind = "sphere", radius = 0.045 } }

return {
  objects = { { name = "barrier", kind = "wall", position = { 0.6, 0 }, yaw = math.pi, size = { 3, 2 } } },
  robot = {
    shapes = {
      base_link = {}, shoulder_link = {}, half_arm_1_link = {}, half_arm_2_link = {}, spherical_wrist_2_link = {},
      bracelet_link = {}, end_effector_link = {}, forearm_link = ball, spherical_wrist_1_link = ball, tool_frame = ball,
    },
  },
}
