-- A support under the elbow, as high as a pile of books: its top touches the elbow's cushion, a ball of 0.05 m. All of
-- it is ours.
local cushion = { friction = 0.6, time_constant = 0.05, damping_ratio = 1 }

return {
  objects = { { name = "books", kind = "box", size = { 0.2, 0.2, 0.347 }, position = { 0.405, 0, 0.1735 } } },
  robot = {
    no_contact = { "half_arm_1_link", "half_arm_2_link", "spherical_wrist_1_link", "spherical_wrist_2_link",
      "bracelet_link" },
    shapes = {
      forearm_link = { { kind = "sphere", radius = 0.05, surface = cushion } },
    },
  },
}
