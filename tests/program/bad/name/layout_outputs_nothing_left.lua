-- robot: ../../../../robots/gen3.urdf
return {
  groups = {},
  outputs = { "nu", "pivot_min" },
}
--> layout_outputs_nothing_left.lua:4: error: "outputs" names no output
-->   remedy: name some: outputs = { "qdd", "tau_ctrl" }
