-- robot: ../../../../robots/gen3.urdf
return { orientation = "euler" }
--> layout_orientation.lua:2: error: "orientation" is "euler"
-->   remedy: write "quaternion" or "matrix"
