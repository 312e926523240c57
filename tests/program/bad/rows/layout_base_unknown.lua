-- robot: ../../../../robots/gen3.urdf
return { base = "float" }
--> layout_base_unknown.lua:2: error: "base" is "float"
-->   remedy: write "fixed" or "planar" or "floating"
