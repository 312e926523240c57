-- robot: ../../../../robots/gen3.urdf
return {
  step = { time_step = "1 ms" },
}
--> layout_step_period_text.lua:3: error: "step.time_step" is "1 ms"
-->   remedy: write a period in s, or "input"
