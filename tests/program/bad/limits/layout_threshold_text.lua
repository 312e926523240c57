-- robot: ../../../../robots/gen3.urdf
return { singular_threshold = "small" }
--> layout_threshold_text.lua:2: error: "singular_threshold" is text, not a number
-->   remedy: write a number there
