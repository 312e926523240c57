-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = 1, inertia = { xx = 1, yy = 1, zz = -0.5 } } } }
--> layout_inertials_moment_negative.lua:2: error: inertial of link "link1": a principal moment of inertia is negative: -0.5, 1 and 1 kg m^2
-->   remedy: no body has such an inertia: check signs and digits
