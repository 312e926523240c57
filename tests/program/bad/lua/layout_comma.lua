-- robot: ../../../../robots/gen3.urdf
return {
  gravity = { 0, 0, -9.81 }
  groups = { { name = "tool", frame = "tool_frame" } },
}
--> layout_comma.lua:4: error: Lua: '}' expected (to close '{' at line 2) near 'groups'
-->   remedy: look at the end of the line before, too: entries of a table are separated by commas
