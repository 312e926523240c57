-- A nut opens and closes both fingers: two linkages with one independent joint, which is their motor.
local function finger(side)
  return {
    name = side, independent = { "nut_joint" },
    rods = { { frame = side .. "_nut_end", to = side .. "_arm_end", length = 0.0424264 } },
    ties = { { frame = side .. "_finger_pin", to = side .. "_follower_pin", rows = { "lin_y", "lin_z" } } },
  }
end

return {
  linkages = { finger("left"), finger("right") },
  outputs = { pose = { "left_finger", "right_finger" }, jac = { "left_finger", "right_finger" } },
}
