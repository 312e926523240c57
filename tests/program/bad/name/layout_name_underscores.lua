-- robot: ../../../../robots/gen3.urdf
return { name = "__gen3" }
--> layout_name_underscores.lua:2: error: "__gen3" is a word of C or C++
-->   remedy: choose another name
