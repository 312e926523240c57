-- robot: ../../../../robots/gen3.urdf
return { saturate = True }
--> layout_unquoted_saturate.lua:2: error: True is not defined: a word without quotes is the name of a variable
-->   remedy: write true
