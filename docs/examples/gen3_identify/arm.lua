-- Kinova Gen3 for computed torque: rotors seen from the joints [kg m^2], of which a URDF does not know.
return {
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
  gravity = { 0, 0, -9.81 },
  groups = {},
}
