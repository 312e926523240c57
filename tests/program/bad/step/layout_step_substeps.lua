-- robot: ../../../../robots/gen3.urdf
return {
  step = { substeps = 2.5 },
}
--> layout_step_substeps.lua:3: error: "step.substeps" is 2.5
-->   remedy: write a whole number from 1 to 16
