-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame" } },
  motors = { b = { coulomb = 1 } },
}
--> coulomb.lua:6: error: motor "b" does not alone move one joint, and realise = "optimum" has dry friction of joints only
-->   remedy: give it to the joints, friction = { joint_1 = 2 }, and leave coulomb out
