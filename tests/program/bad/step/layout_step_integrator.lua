-- robot: ../../../../robots/gen3.urdf
return {
  step = {
    integrator = "euler",
  },
}
--> layout_step_integrator.lua:4: error: "step.integrator" is "euler"
-->   remedy: write "semi_implicit" or "rk4" or "implicit_midpoint" or "momentum"
