-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = 1 } }
--> layout_inertials_number.lua:2: error: "inertials.link1" is a number, not a table: { mass = 1, com = { 0, 0, 0 } }
-->   remedy: write a table: { mass = 1, com = { 0, 0, 0 } } there
