-- Two motors move pitch and roll of an ankle through rods. Pitch and roll are inputs, the cranks follow; linkage_tau
-- has the torques of the motors.
return {
  linkages = {
    {
      name = "ankle", independent = { "ankle_pitch", "ankle_roll" }, motors = { "left_crank", "right_crank" },
      rods = {
        { frame = "left_heel", to = "left_crank_end", length = 0.24 },
        { frame = "right_heel", to = "right_crank_end", length = 0.24 },
      },
    },
  },
  groups = { { name = "sole", frame = "sole", rows = { "ang_x", "ang_y" } } },
}
