-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motors = { "a", "b" }, joints = { "joint_1", "joint_2" }, differential = {} } },
  motors = { b = { coulomb = 1 } },
  groups = { { name = "friction_motor", frame = "tool_frame" } },
}
--> coulomb_group.lua:5: error: a group cannot be named "friction_motor" beside friction of motors
-->   remedy: choose another name
