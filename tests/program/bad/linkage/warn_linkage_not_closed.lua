-- robot: ../../../../robots/linkages/ankle.urdf
local function rod(side) return { frame = side .. "_heel", to = side .. "_crank_end", length = 0.1 } end
return {
  groups = { { name = "sole", frame = "sole", rows = { "ang_x" } } },
  linkages = { { name = "ankle", independent = { "ankle_pitch", "ankle_roll" }, rods = { rod("left"),
    rod("right") } } },
}
--> warn_linkage_not_closed.lua:5: warning: linkage "ankle" is not closed with its independent joints at 0 (0.35 m or rad are left): the default of linkage_start.ankle is no position of it
