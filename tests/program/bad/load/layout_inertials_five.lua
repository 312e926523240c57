-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = 1, inertia = { 1, 0, 0, 1, 0 } } } }
--> layout_inertials_five.lua:2: error: "inertials.link1.inertia" has 5 numbers
-->   remedy: write six numbers: xx, xy, xz, yy, yz, zz
