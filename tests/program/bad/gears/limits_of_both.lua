-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  effort = { joint_1 = 20 },
  motors = { a = { effort = 1 } },
}
--> limits_of_both.lua:4: error: joint "joint_1" has a limit, and so has motor "a", which moves it
-->   remedy: leave one of them out
