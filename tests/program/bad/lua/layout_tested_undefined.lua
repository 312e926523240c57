-- robot: ../../../../robots/gen3.urdf
return { saturate = saturated == nil }
--> layout_tested_undefined.lua:2: error: saturated is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "saturated"; a variable is given a value first: local saturated = ...
