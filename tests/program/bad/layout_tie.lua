-- robot: two_leaves.urdf
return { gravity = "input" }
