-- robot: ../../../../robots/gen3.urdf
return {
  wrenches = { { name = "compliance", frame = "tool_frame", kind = "physical" } },
}
--> layout_compliance_wrench.lua:3: error: a wrench cannot be named "compliance": another field is
-->   remedy: choose another name
