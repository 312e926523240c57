-- robot: ../../../../robots/gen3.urdf
return {
  friction = "input", outputs = { "qdd", "pivot" },
}
--> layout_bounded_pivot.lua:3: error: "pivot" cannot be used with bounded rows
-->   remedy: leave it out: achd_mclp_report tells how many rows depend on others
