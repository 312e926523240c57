-- robot: ../../../../robots/gen3.urdf
return {
  friction = "input",
  motors = { joint_1 = { coulomb = 1 } },
}
--> coulomb_input.lua:3: error: the dry friction of joints comes at run time, and motors have some, too
-->   remedy: leave coulomb of motors out: the input is the friction of joints with their motors'
