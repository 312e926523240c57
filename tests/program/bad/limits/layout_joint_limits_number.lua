-- robot: ../../../../robots/arm1dof.urdf
return { joint_limits = { 1 } }
--> layout_joint_limits_number.lua:2: error: "joint_limits[1]" is a number, not the name of a joint
-->   remedy: write the name of a joint there
