-- robot: fine_arm.urdf
return { outputs = { "qdd", "bound" } }
--> bound.lua:2: error: "bound" does not know the rounding of ball joints, and "shoulder" is one
-->   remedy: leave it out
