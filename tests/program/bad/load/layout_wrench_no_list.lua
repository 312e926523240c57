-- robot: ../../../../robots/gen3.urdf
return {
  wrenches = { name = "push", frame = "tool_frame", kind = "physical" },
}
--> layout_wrench_no_list.lua:3: error: "wrenches" is a list of wrenches, but has a key "frame"
-->   remedy: put each into braces of its own: wrenches = { { name = ... } }
