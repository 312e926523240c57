-- robot: ../../../../robots/gen3.urdf
return {
  wrenches = {
    { name = "push", frame = "tool_frame", kind = "physical" },
    {
      name = "push",
      frame = "forearm_link", kind = "artificial" },
  },
}
--> layout_wrench_twice.lua:6: error: two wrenches are named "push"
-->   remedy: give each its own name
