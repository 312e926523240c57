-- The Gen3 as its momentum observer knows it: with rotors.
return {
  name = "arm", gravity = { 0, 0, -9.81 }, groups = {},
  armature = {
    joint_1 = 0.5580, joint_2 = 0.5580, joint_3 = 0.5580, joint_4 = 0.5580,
    joint_5 = 0.1389, joint_6 = 0.1389, joint_7 = 0.1389,
  },
}
