-- robot: ../../../../robots/gen3.urdf
return {
  root = "base_lnk",
}
--> layout_root_unknown.lua:3: error: the robot has no link "base_lnk"
-->   remedy: did you mean "base_link"?
