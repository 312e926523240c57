-- SPDX-License-Identifier: MIT
-- The UR5e of docs/examples/arm as generated steps move it: a fingertip at its flange, limits, no friction.
return {
  name = "ur5e_sim",
  armature = {
    shoulder_pan_joint = 0.4, shoulder_lift_joint = 0.4, elbow_joint = 0.4,
    wrist_1_joint = 0.1, wrist_2_joint = 0.1, wrist_3_joint = 0.1,
  },
  groups = { { name = "tool", frame = "flange" }, { name = "last", frame = "wrist_3_link" } },
  contacts = { { name = "fingertip", frame = "flange", radius = 0.01 } },
  limits = {},
  outputs = { pose = { "flange", "wrist_3_link" }, twist = { "wrist_3_link" }, acc = { "wrist_3_link" } },
  step = {},
}
