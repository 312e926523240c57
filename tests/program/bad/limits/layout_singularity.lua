-- robot: ../../../../robots/gen3.urdf
return { singularity = "dampen" }
--> layout_singularity.lua:2: error: "singularity" is "dampen"
-->   remedy: write "damp" or "drop" or "truncate"
