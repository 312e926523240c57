-- robot: ../../../../robots/gen3.urdf
ag.fail(1, "x", "y")
return {}
--> layout_ag.lua:2: error: ag is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "ag"; a variable is given a value first: local ag = ...
