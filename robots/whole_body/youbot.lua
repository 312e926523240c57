-- A youBot that wipes a wall, arm and wheels together: rows hold the palm, and yield to what it presses the wall with;
-- the platform keeps its heading, and its place softly, so that it takes part in wide strokes. Motors alone do it:
-- those of the arm, and those of four mecanum wheels, of which each can push along the axis of the roller that touches
-- the floor. One physical row for each wheel says so: there the wheel does not slip (direction: that axis at the middle
-- of the wheel, and its moment from the point of contact; given at run time, as it turns with the platform).
local corners = { "fl", "fr", "bl", "br" }
local groups = {
  { name = "palm", frame = "gripper_palm_link", rows = { "lin_x", "lin_y", "lin_z" }, over = "yields" },
  { name = "tilt", frame = "gripper_palm_link", axes = "link", rows = { "ang_y", "ang_z" } },
  { name = "heading", frame = "base_link", rows = { "ang_z" } },
  { name = "place", frame = "base_link", rows = { "lin_x", "lin_y" }, compliance = 0.02 },
}
local tips, locked, effort = { "gripper_palm_link" }, {}, {}
for _, corner in ipairs(corners) do
  groups[#groups + 1] = { name = "roller_" .. corner, frame = "wheel_link_" .. corner, rows = 1, kind = "physical" }
  tips[#tips + 1] = "wheel_link_" .. corner
  locked["caster_joint_" .. corner] = 0
  effort["wheel_joint_" .. corner] = 2 -- [N m], 2.3 A of a motor with 0.0335 N m/A by a gear of 26
end

return {
  base = "planar",
  realise = "motors",
  saturate = "scale",
  gravity = { 0, 0, -9.81 },
  locked = locked,
  effort = effort,
  armature = { -- [kg m^2]
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571,
    arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  tips = tips,
  wrenches = { { name = "press", frame = "gripper_palm_link", kind = "artificial" } },
  groups = groups,
  outputs = { "nu", "tau_ctrl", "scale" },
}
