-- A humanoid that steps (robots/humanoid.urdf). Each sole is a contact on its corners while it stands and six rows of
-- its own while it swings: the masks say which. Upright, feet and posture first, then where the pelvis goes. For a
-- robot of your own: the names of its links, the corners of its soles, the joints that are no legs.
local groups = {
  { name = "upright", frame = "pelvis", rows = { "lin_z", "ang_x", "ang_y", "ang_z" }, priority = 1 },
  { name = "place", frame = "pelvis", rows = { "lin_x", "lin_y" }, priority = 2 },
}
local posture = { "waist_yaw_joint", "waist_roll_joint", "waist_pitch_joint", "neck_joint" }
for _, side in ipairs { "left", "right" } do
  for _, part in ipairs {
    "shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_yaw", "wrist_roll", "wrist_pitch",
  } do posture[#posture + 1] = side .. "_" .. part .. "_joint" end
  groups[#groups + 1] = { name = side .. "_swing", frame = side .. "_sole", maskable = true, priority = 1 }
  groups[#groups + 1] = {
    name = side, frame = side .. "_sole", axes = "link", kind = "physical", maskable = true,
    contact = {
      normal = "lin_z", friction = "input",
      points = { { 0.09, 0.035, 0 }, { 0.09, -0.035, 0 }, { -0.09, -0.035, 0 }, { -0.09, 0.035, 0 } },
    },
  }
end
groups[#groups + 1] = { name = "posture", joints = posture, priority = 1 }

return {
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  limits = { margin = 0.1 },
  groups = groups,
  outputs = { "nu", "tau_ctrl" },
}
