-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = -1 } } }
--> layout_inertials_mass_negative.lua:2: error: inertial of link "link1": the mass is negative
-->   remedy: no body has such an inertia: check signs and digits
