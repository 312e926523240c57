-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { mass = 1, inertia = { xx = 1, yy = 1 } } } }
--> layout_inertials_no_zz.lua:2: error: "inertials.link1.inertia" has no zz
-->   remedy: write xx, yy and zz; xy, xz and yz are 0 unless you name them
