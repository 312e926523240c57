-- robot: fine_arm.urdf
return { groups = { { name = "a", frame = "shoulder_y" } } }
--> axis_as_frame.lua:2: error: link "shoulder_y" stands inside of the ball joint "shoulder", where nothing is
-->   remedy: name its child or its parent
