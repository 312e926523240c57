-- robot: fine_arm.urdf
return { linkages = { { name = "loop", independent = { "elbow" }, ties = { { frame = "base", to = "hand",
    rows = { "lin_x", "lin_y" } } } } } }
--> linkage.lua:2: error: joint "shoulder_x" of linkage "loop" is one axis of a ball joint, which no linkage solves for
-->   remedy: write a rod with two ends (rods) in its place
