-- robot: ../../../../robots/gen3.urdf
return { outputs = { "tau_motor" } }
--> tau_motor_alone.lua:2: error: output "tau_motor" needs motors that are not joints
-->   remedy: add transmissions = { { motor = "m1", joint = "joint_1", ratio = 100 } }, or leave it out: tau_ctrl is theirs
