-- robot: ../../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2 }, breakaway = "urdf" },
}
--> layout_breakaway_urdf.lua:3: error: a URDF has no breakaway friction: its <dynamics friction> is one number for rest and motion
-->   remedy: write "input", or joints and numbers: { joint_1 = 3 }
