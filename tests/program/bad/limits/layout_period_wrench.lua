-- robot: ../../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2 }, period = "input" },
  wrenches = { { name = "period", frame = "tool_frame", kind = "physical" } },
}
--> layout_period_wrench.lua:4: error: a wrench cannot be named "period" beside friction with period = "input"
-->   remedy: choose another name
