-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "foot", frame = "tool_frame", axes = "input",
      acceleration = "rate" },
  },
}
--> layout_rate_axes.lua:5: error: group "foot" has axes that come at run time: how they turn is not known
-->   remedy: write axes = "link" or "base", or add -(w x y) . v of row y, whose axes turn with w, to b
