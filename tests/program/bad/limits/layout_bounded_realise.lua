-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  groups = {
    { name = "foot", frame = "fl_foot", rows = { "lin_z" }, kind = "physical", bounds = { lin_z = { 0, math.huge } } },
  },
}
--> layout_bounded_realise.lua:4: error: realise = "motors" cannot be used with bounded rows: which contacts hold is not known before the rows are solved
-->   remedy: write realise = "optimum" (function qp), which finds that out, and contact = { normal = "lin_z", friction = 0.6 } in place of bounds of group "foot"
