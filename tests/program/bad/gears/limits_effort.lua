-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  limits = { effort = true },
  motors = { a = { effort = 1 } },
}
--> limits_effort.lua:5: error: limits with effort take limits of joints, and this motor moves several
-->   remedy: give the joints limits, effort = { joint_1 = 20 }, and leave the motor's out, or write realise = "optimum"
