-- robot: ../../../../robots/quadruped.urdf
return { base = floating, groups = {} }
--> layout_unquoted_base.lua:2: error: floating is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "floating"
