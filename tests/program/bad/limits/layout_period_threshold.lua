-- robot: ../../../../robots/gen3.urdf
return {
  friction = {
    coulomb = { joint_1 = 2 },
    threshold = 1e-3,
    period = 1e-3,
  },
}
--> layout_period_threshold.lua:5: error: "threshold" has no meaning beside period: a joint stops where friction suffices
-->   remedy: leave threshold out, or add breakaway
