-- SPDX-License-Identifier: MIT
-- The floor, and spheres of 0.1 mm at the corners of the feet of robots/humanoid.urdf, for MuJoCo.
local shapes = { pelvis = {}, chest = {}, head = {}, waist_yaw = {}, waist_roll = {} }
for _, side in ipairs { "left", "right" } do
  for _, link in ipairs {
    "hip_yaw", "hip_roll", "thigh", "shank", "ankle", "shoulder_pitch", "shoulder_roll", "upper_arm", "forearm",
    "wrist_yaw", "wrist_roll", "hand",
  } do shapes[side .. "_" .. link] = {} end
  local corners = {}
  for _, x in ipairs { 0.14, -0.08 } do
    for _, y in ipairs { 0.05, -0.05 } do
      corners[#corners + 1] = { kind = "sphere", radius = 1e-4, position = { x, y, -0.06 + 1e-4 } }
    end
  end
  shapes[side .. "_foot"] = corners
end

return { floor = true, robot = { shapes = shapes } }
