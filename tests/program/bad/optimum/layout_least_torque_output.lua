-- robot: ../../../../robots/gen3.urdf
return {
  friction = { joint_1 = 2 },
  least_torque = true,
  outputs = { "qdd", "nu" },
}
--> layout_least_torque_output.lua:5: error: "least_torque" needs the output tau_ctrl, whose size it makes least
-->   remedy: add "tau_ctrl", or leave least_torque out
