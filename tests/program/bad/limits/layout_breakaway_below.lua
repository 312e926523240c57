-- robot: ../../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2, joint_2 = 2 }, breakaway = { joint_1 = 3, joint_2 = 1.5 } },
}
--> layout_breakaway_below.lua:3: error: the breakaway friction of joint_2 is 1.5, below that in motion, 2
-->   remedy: give as much at least, or leave it out: it is that in motion then
