-- robot: ../../../../robots/linkages/parallel_humanoid.urdf
local rod = { frame = "left_outer_heel", to = "left_outer_crank_end", length = 0.24 }
return {
  linkages = { { name = "ankle", independent = { "neck_joint" }, rods = { rod } } },
}
--> linkage_elsewhere.lua:4: error: joint "neck_joint" is not in the loops of linkage "ankle"
-->   remedy: name joints between the frames that its ties and rods have
