-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame" } },
  friction = { coulomb = { joint_2 = 1 } },
  motors = { a = { effort = 1 } },
}
--> limit_of_optimum.lua:7: error: realise = "optimum" cannot have both limits of motors that move several joints and dry friction of one of these
-->   remedy: give the joints limits, effort = { joint_1 = 20 }, and leave the motor's out, or take the joint out of friction
