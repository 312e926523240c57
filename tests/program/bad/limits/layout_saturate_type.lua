-- robot: ../../../../robots/gen3.urdf
return { saturate = 1 }
--> layout_saturate_type.lua:2: error: "saturate" is a number, not true, false, "clamp" or "scale"
-->   remedy: write true, false, "clamp" or "scale" there
