-- robot: ../../../../robots/gen3.urdf
return { name = "double" }
--> layout_name_keyword.lua:2: error: "double" is a word of C or C++
-->   remedy: choose another name
