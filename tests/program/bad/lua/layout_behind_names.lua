-- robot: ../../../../robots/gen3.urdf
-- The line is that of the word, however the table is put together.
local tool = {
  name = "tool",
  frame = "tool_fram",
}
local groups = { tool }
local layout = {
  name = "arm", --[[ groups = 1 ]] groups = groups,
  ["outputs"] = { "}", "return" },
}
return layout
--> layout_behind_names.lua:5: error: the robot has no link "tool_fram"
-->   remedy: did you mean "tool_frame"?
