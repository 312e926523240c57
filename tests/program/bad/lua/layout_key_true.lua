-- robot: ../../../../robots/gen3.urdf
return { [true] = 1, [false] = 2 }
--> layout_key_true.lua:2: error: unknown word "false"
-->   remedy: did you mean "base"?
