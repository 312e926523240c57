-- Two arms on one torso: six rows at each hand, solved together; the right elbow may rest on a table,
-- a row that the table holds and that is masked out while the elbow is in the air. 15 joints, 13 rows.
return {
  torques = { physical = true, artificial = true },
  wrenches = {
    { name = "left_push", frame = "left_hand", kind = "physical" }, -- of the wrists' force sensors
    { name = "right_push", frame = "right_hand", kind = "physical" },
  },
  groups = {
    { name = "left", frame = "left_hand", maskable = true },
    { name = "right", frame = "right_hand", maskable = true },
    { name = "elbow", frame = "right_link_4", rows = { "lin_z" }, kind = "physical", maskable = true },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
