-- robot: ../../../../robots/gen3.urdf
local matrices = {}
return { orientation = matrics }
--> layout_variable_or_text.lua:3: error: matrics is not defined: a word without quotes is the name of a variable
-->   remedy: did you mean matrices, or the text "matrix"?
