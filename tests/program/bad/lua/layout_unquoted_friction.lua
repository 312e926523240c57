-- robot: ../../../../robots/gen3.urdf
return { friction = urdf }
--> layout_unquoted_friction.lua:2: error: urdf is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "urdf"
