-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  motors = { b = { coulomb = 1 } },
}
--> coulomb.lua:4: error: motor "b" does not alone move one joint, and dry friction is of joints
-->   remedy: give it to the joints, friction = { joint_1 = 2 }, and leave coulomb out
