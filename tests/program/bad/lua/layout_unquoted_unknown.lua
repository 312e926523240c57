-- robot: ../../../../robots/gen3.urdf
return { name = zebra }
--> layout_unquoted_unknown.lua:2: error: zebra is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "zebra"; a variable is given a value first: local zebra = ...
