-- A parallel gripper: a tie closes the loop of each finger, and one motor drives both cranks. What the
-- pads feel comes in as wrenches.
return {
  passive = { "left_finger_joint", "left_link_joint", "right_finger_joint", "right_link_joint" },
  torques = { artificial = true },
  wrenches = {
    { name = "left_touch", frame = "left_pad", kind = "physical" },
    { name = "right_touch", frame = "right_pad", kind = "physical" },
  },
  groups = {
    { name = "left_pin", frame = "left_link_pin", to = "left_finger_pin", rows = { "lin_y", "lin_z" } },
    { name = "right_pin", frame = "right_link_pin", to = "right_finger_pin", rows = { "lin_y", "lin_z" } },
  },
  outputs = {
    "qdd", "nu", "tau_ctrl", "pivot_min",
    pose = { "left_link_pin", "left_finger_pin", "right_link_pin", "right_finger_pin" },
    twist = { "left_link_pin", "left_finger_pin", "right_link_pin", "right_finger_pin" },
  },
}
