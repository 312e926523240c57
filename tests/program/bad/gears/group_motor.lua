-- robot: ../../../../robots/gen3.urdf
return {
  transmissions = { { motor = "a", joint = "joint_1", ratio = 2 } },
  groups = { { name = "motor", joints = { "joint_2" } } },
}
--> group_motor.lua:4: error: row "joint_2" of group "motor" and a motor both become MOTOR_JOINT_2
-->   remedy: give the group another name
