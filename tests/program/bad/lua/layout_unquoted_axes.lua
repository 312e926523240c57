-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "tool_frame", axes = link } } }
--> layout_unquoted_axes.lua:2: error: link is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "link"
