-- robot: ../../../../robots/gen3.urdf
return { name = null }
--> layout_variable_null.lua:2: error: null is not defined: a word without quotes is the name of a variable
-->   remedy: write nil
