-- robot: ../../../../robots/four_bar.urdf
return {
  groups = { { name = "gravity", frame = "rocker_pin", rows = { "lin_x" } } },
  outputs = { "qdd", contributions = { "qdd" } },
}
--> layout_contributions_name.lua:4: error: two sources of contributions are named "gravity"
-->   remedy: give groups and wrenches names of their own, other than gravity, velocity, feed_forward
