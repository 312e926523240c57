-- robot: ../../../../robots/gen3.urdf
return {
  step = { period = 1e-3 },
}
--> layout_step_word.lua:3: error: unknown word "period" in "step"
-->   remedy: there is "time_step", "integrator", "substeps", "loops"
