-- robot: warn_two_leaves.urdf
return { gravity = "input" }
