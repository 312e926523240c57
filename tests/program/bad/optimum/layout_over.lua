-- robot: ../../../../robots/four_bar.urdf
return { groups = { { name = "tip", frame = "rocker_pin", rows = { "lin_x" }, over = "wrench" } } }
--> layout_over.lua:2: error: "groups[1].over" is "wrench"
-->   remedy: write "wrenches" or "yields"
