-- robot: ../../../../robots/gen3.urdf
return {
  outputs = {},
}
--> layout_outputs_empty.lua:3: error: "outputs" names no output
-->   remedy: name some: outputs = { "qdd", "tau_ctrl" }
