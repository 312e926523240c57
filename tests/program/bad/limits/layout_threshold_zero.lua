-- robot: ../../../../robots/gen3.urdf
return { singular_threshold = 0 }
--> layout_threshold_zero.lua:2: error: "singular_threshold" is 0
-->   remedy: give a relative pivot between 0 and 1: 1e-6
