-- SPDX-License-Identifier: MIT
-- Corners of both feet of robots/humanoid.urdf are points; a step takes dampers in all joints at its end.
local contacts, viscous = {}, {}
for _, side in ipairs { "left", "right" } do
  for i, x in ipairs { 0.14, -0.08 } do
    for j, y in ipairs { 0.05, -0.05 } do
      contacts[#contacts + 1] = { name = side .. "_" .. (2 * i + j - 2), frame = side .. "_foot", at = { x, y, -0.06 } }
    end
  end
  for _, part in ipairs {
    "hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll", "shoulder_pitch", "shoulder_roll",
    "shoulder_yaw", "elbow", "wrist_yaw", "wrist_roll", "wrist_pitch",
  } do viscous[side .. "_" .. part .. "_joint"] = 20 end
end
for _, part in ipairs { "waist_yaw", "waist_roll", "waist_pitch", "neck" } do viscous[part .. "_joint"] = 20 end

return { base = "floating", groups = {}, contacts = contacts, step = {}, friction = { viscous = viscous } }
