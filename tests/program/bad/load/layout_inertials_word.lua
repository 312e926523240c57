-- robot: ../../../../robots/arm1dof.urdf
return { inertials = { link1 = { weight = 1 } } }
--> layout_inertials_word.lua:2: error: unknown word "weight" in "inertials.link1"
-->   remedy: there is "mass", "com", "inertia"
