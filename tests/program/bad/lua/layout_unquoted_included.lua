-- robot: ../../../../robots/gen3.urdf
return include "include/unquoted.lua"
--> include/unquoted.lua:3: error: tool_frame is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "tool_frame"
