-- robot: ../../../../robots/gen3.urdf
return {
  armature = { joint_1 = 0.5,
               joint_2 = -0.5 },
}
--> layout_armature_negative.lua:4: error: the armature of joint "joint_2" is negative
-->   remedy: give a rotor inertia of zero or more [kg m^2]
