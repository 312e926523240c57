-- robot: ../../../../robots/gen3.urdf
return {
  groups = {},
  limits = { kind = "physical", effort = true },
}
--> layout_limits_effort_kind.lua:4: error: physical limits push with mechanical stops, not with motors
-->   remedy: leave effort or kind out
