-- A humanoid on a floor, its knees and elbows a little bent.
local posture, shapes = {}, {}
for _, side in ipairs { "left", "right" } do
  posture[side .. "_hip_pitch_joint"], posture[side .. "_knee_joint"], posture[side .. "_ankle_pitch_joint"] = -0.3,
    0.6, -0.3
  posture[side .. "_shoulder_roll_joint"] = side == "left" and 0.15 or -0.15
  posture[side .. "_elbow_joint"] = -0.6
  for _, part in ipairs {
    "hip_yaw", "hip_roll", "thigh", "shank", "ankle", "shoulder_pitch", "shoulder_roll", "upper_arm", "forearm",
    "wrist_yaw",
    "wrist_roll",
  } do shapes[side .. "_" .. part] = {} end
end
shapes.waist_yaw, shapes.waist_roll = {}, {}

return {
  floor = { surface = { friction = 0.8, time_constant = 0.005 } },
  robot = {
    position = { 0, 0, 0.8192 }, -- its soles touch the floor
    posture = posture,
    shapes = shapes,
  },
}
