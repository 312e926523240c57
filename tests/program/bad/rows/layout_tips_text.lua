-- robot: ../../../../robots/gen3.urdf
return { tips = "tool_frame" }
--> layout_tips_text.lua:2: error: "tips" is text, not a list of links
-->   remedy: write a list of links there
