-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  realise = "optimum",
  groups = { { name = "tool", frame = "tool_frame" } },
  motors = { a = { effort = 1 } },
}
--> limit_of_optimum.lua:6: error: realise = "optimum" takes limits of joints, and this motor moves several
-->   remedy: give the joints limits, effort = { joint_1 = 20 }, and leave the motor's out
