-- robot: fine_arm.urdf
return { tips = { "shoulder_x" } }
--> axis_as_tip.lua:2: error: link "shoulder_x" is inside of the ball joint "shoulder", where no robot begins or ends
-->   remedy: name the link before it, or the one behind it
