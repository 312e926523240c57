-- robot: ../../../../robots/linkages/ankle.urdf
local function rod(side) return { frame = side .. "_heel", to = side .. "_crank_end", length = 0.24 } end
return {
  linkages = {
    { name = "left", independent = { "left_crank", "ankle_roll" }, rods = { rod("left") } },
    { name = "right", independent = { "right_crank", "ankle_roll" }, rods = { rod("right") } },
  },
}
--> linkage_shared.lua:6: error: joint "ankle_pitch" is in linkage "left" and in "right"
-->   remedy: put the loops that share joints into one linkage
