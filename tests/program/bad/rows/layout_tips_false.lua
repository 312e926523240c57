-- robot: ../../../../robots/gen3.urdf
return { tips = false }
--> layout_tips_false.lua:2: error: "tips" is true or false, not a list of links
-->   remedy: write a list of links there
