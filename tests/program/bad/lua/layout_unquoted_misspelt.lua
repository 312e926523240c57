-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = tool_fram, kind = "physical" } } }
--> layout_unquoted_misspelt.lua:2: error: tool_fram is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "tool_fram"; did you mean "tool_frame" or "tool_frame_joint"?
