-- A humanoid that stands on two flat feet, each on four corners that push within their cones of friction, with torques
-- within the motors' limits. Where these do not allow all demands, it keeps upright first (height and
-- orientation of the pelvis; waist, neck and arms), and then moves the pelvis to its place as fast as they allow. The
-- corners are 1 cm inside of the soles.
local function sole(side)
  return {
    name = side, frame = side .. "_sole", axes = "link", kind = "physical",
    contact = {
      normal = "lin_z", friction = "input",
      points = { { 0.1, 0.04, 0 }, { 0.1, -0.04, 0 }, { -0.1, -0.04, 0 }, { -0.1, 0.04, 0 } },
    },
  }
end

local posture = { "waist_yaw_joint", "waist_roll_joint", "waist_pitch_joint", "neck_joint" }
for _, side in ipairs { "left", "right" } do
  for _, part in ipairs {
    "shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_yaw", "wrist_roll", "wrist_pitch",
  } do posture[#posture + 1] = side .. "_" .. part .. "_joint" end
end

return {
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  groups = {
    { name = "upright", frame = "pelvis", rows = { "lin_z", "ang_x", "ang_y", "ang_z" }, priority = 1 },
    { name = "place", frame = "pelvis", rows = { "lin_x", "lin_y" }, priority = 2 },
    { name = "posture", joints = posture, priority = 1 },
    sole "left", sole "right",
  },
  outputs = { "nu", "tau_ctrl" },
}
