-- A youBot that wipes a wall, arm and platform together: rows hold the palm, and yield to what it presses the wall with; the
-- platform keeps its heading, and its place softly, so that it takes part in wide strokes. base.wrench_ctrl is what its wheels
-- have to exert together on the floor.
return {
  base = "planar",
  gravity = { 0, 0, -9.81 },
  locked = { caster_joint_fl = 0, caster_joint_fr = 0, caster_joint_bl = 0, caster_joint_br = 0 },
  armature = { -- [kg m^2]
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571,
    arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  tips = { "gripper_palm_link" },
  wrenches = { { name = "press", frame = "gripper_palm_link", kind = "artificial" } },
  groups = {
    { name = "palm", frame = "gripper_palm_link", rows = { "lin_x", "lin_y", "lin_z" }, over = "yields" },
    { name = "tilt", frame = "gripper_palm_link", axes = "link", rows = { "ang_y", "ang_z" } },
    { name = "heading", frame = "base_link", rows = { "ang_z" } },
    { name = "place", frame = "base_link", rows = { "lin_x", "lin_y" }, compliance = 0.02 },
  },
  outputs = { "nu", "tau_ctrl" },
}
