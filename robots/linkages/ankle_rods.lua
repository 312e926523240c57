-- The same ankle by the angles of its motors: the cranks are the independent joints, and pitch, roll and the rods
-- follow.
return {
  linkages = {
    {
      name = "ankle", independent = { "left_crank", "right_crank" },
      ties = {
        { frame = "left_heel", to = "left_rod_end", rows = { "lin_x", "lin_y", "lin_z" } },
        { frame = "right_heel", to = "right_rod_end", rows = { "lin_x", "lin_y", "lin_z" } },
      },
    },
  },
  groups = { { name = "sole", frame = "sole", rows = { "ang_x", "ang_y" } } },
}
