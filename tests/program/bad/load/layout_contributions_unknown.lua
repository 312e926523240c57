-- robot: ../../../../robots/four_bar.urdf
return {
  groups = { { name = "tip", frame = "rocker_pin", rows = { "lin_x" } } },
  outputs = { "qdd", contributions = { "qdd", "nus" } },
}
--> layout_contributions_unknown.lua:4: error: "outputs.contributions[2]" is "nus"
-->   remedy: write "qdd" or "nu" or "tau_ctrl"
