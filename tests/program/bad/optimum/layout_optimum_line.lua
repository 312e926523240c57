-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "optimum",
  groups = {
    {
      name = "fl", frame = "fl_foot", axes = "link",
      contact = { normal = "lin_z", friction = 0.6, points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0.2, 0, 0 } } },
    },
  },
}
--> layout_optimum_line.lua:8: error: the points of group "fl" lie on a line, about which their forces have no moment
-->   remedy: name three at least that do not, or leave points out for a contact at the frame's origin
