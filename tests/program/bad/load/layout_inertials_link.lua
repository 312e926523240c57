-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { lnk1 = { mass = 1 } } }
--> layout_inertials_link.lua:2: error: the robot has no link "lnk1"
-->   remedy: did you mean "link1"?
