-- robot: ../../../../robots/gen3.urdf
return {
  friction = { viscous = { joint_1 = 2 }, breakaway = { joint_1 = 3 } },
}
--> layout_breakaway_alone.lua:3: error: "breakaway" is of dry friction, and friction has no coulomb
-->   remedy: add coulomb = "urdf", "input", or joints and numbers
