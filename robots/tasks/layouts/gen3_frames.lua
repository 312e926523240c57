-- The Gen3 with rows at three of its frames, for robots/tasks/gen3_frames.lua: its tool, the camera in its bracelet,
-- which is another tool, and its elbow, of which only the height is held. All rows can be masked, since seven joints
-- satisfy seven rows at most. Rotor inertias and efforts are those of tests/runtime/gen3_controlled.lua.
--   achdgen robots/gen3.urdf --layout robots/tasks/layouts/gen3_frames.lua --functions achd,fk,fvk,gravity
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  effort = {
    joint_1 = 55, joint_2 = 55, joint_3 = 55, joint_4 = 55, joint_5 = 28, joint_6 = 28, joint_7 = 28,
  },
  saturate = true,
  torques = { artificial = true },
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x", "lin_y", "lin_z" }, axes = "input", maskable = true },
    { name = "camera", frame = "bracelet_link", rows = { "lin_x", "lin_y", "lin_z" }, axes = "input",
      maskable = true },
    { name = "elbow", frame = "forearm_link", rows = { "lin_z" }, maskable = true },
  },
  outputs = {
    "qdd", "nu", "tau_ctrl", "pivot_min",
    pose = { "tool_frame", "bracelet_link", "forearm_link" }, twist = { "tool_frame", "bracelet_link", "forearm_link" },
  },
}
