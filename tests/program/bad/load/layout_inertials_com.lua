-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { com = { 0, 0 } } } }
--> layout_inertials_com.lua:2: error: "inertials.link1.com" has 2 numbers
-->   remedy: write three numbers: { 0, 0, 0.1 }
