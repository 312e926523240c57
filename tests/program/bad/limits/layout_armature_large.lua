-- robot: ../../../../robots/gen3.urdf
return {
  armature = { joint_1 = 0.5,
               joint_2 = 1e160 },
}
--> layout_armature_large.lua:4: error: the armature of joint "joint_2" is larger than 1e15
-->   remedy: give the rotor inertia at the joint side in kg m^2 (kg for a prismatic joint)
