-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  limits = { kind = "physical" },
  groups = { { name = "trunk", frame = "trunk" } },
}
--> layout_motors_limits.lua:4: error: realise = "motors" cannot be used with bounded rows: which contacts hold is not known before the rows are solved
-->   remedy: write realise = "optimum" (function qp), which finds that out, and leave out kind of limits
