-- robot: ../../../../robots/gen3.urdf
return {
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    { frame = "tool_frame", kind = "physical" },
  },
}
--> layout_wrench_no_name.lua:5: error: wrench 2 has no name
-->   remedy: give it one: name = "push"
