-- robot: ../../../../robots/gen3.urdf
return { tips = { hand = "tool_frame" } }
--> layout_tips_named.lua:2: error: "tips" is a list of links, but has a key "hand"
-->   remedy: write the values one after the other: { a, b }
