-- robot: ../../../../robots/linkages/ankle.urdf
return {
  linkages = {
    {
      name = "ankle",
      independent = { "ankle_pitch", "ankle_roll" },
      motors = { "left_crank", "right_crank" },
      rods = {
        { frame = "left_heel", to = "left_crank_end", length = 0.24 },
        { frame = "right_heel", to = "right_crank_end", length = 0.24 },
      },
    },
  },
  transmissions = { { motor = "a", joint = "left_crank", ratio = 9 } },
}
--> dependent_joint.lua:14: error: joint "left_crank" is a dependent joint of a linkage
-->   remedy: name an independent one, or make this one independent
