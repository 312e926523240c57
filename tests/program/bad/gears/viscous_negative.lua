-- robot: ../../../../robots/gen3.urdf
return { motors = { joint_1 = { viscous = -1 } } }
--> viscous_negative.lua:2: error: the viscous friction of motor "joint_1" is negative
-->   remedy: give a number of zero or more
