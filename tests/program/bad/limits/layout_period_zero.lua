-- robot: ../../../../robots/gen3.urdf
return {
  friction = {
    coulomb = { joint_1 = 2 },
    period = 0,
  },
}
--> layout_period_zero.lua:5: error: the period of the steps [s] is not positive
-->   remedy: give a number above zero
