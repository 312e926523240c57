-- robot: ../../../../robots/gen3.urdf
local groups = { { name = "tool", frame = "tool_frame" } }
return { groups = grups }
--> layout_variable_misspelt.lua:3: error: grups is not defined: a word without quotes is the name of a variable
-->   remedy: did you mean groups? Text stands in quotes: "grups"
