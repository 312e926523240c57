-- robot: ../../../../robots/linkages/five_bar.urdf
local tie = { frame = "tool", to = "right_tip", rows = { "lin_x", "lin_z" } }
return {
  linkages = { { name = "bars", independent = { "left_motor", "right_motor" }, ties = { tie } } },
  transmissions = { { motor = "m", joint = "left_elbow", ratio = 50 } },
}
--> linkage_transmission.lua:5: error: joint "left_elbow" is a dependent joint of a linkage
-->   remedy: name an independent one, or make this one independent
