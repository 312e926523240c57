-- robot: ../../../../robots/gen3.urdf
return { groups = { {
  name = "tool", frame = "tool_frame",
  kind = physical,
} } }
--> layout_unquoted_kind.lua:4: error: physical is not defined: a word without quotes is the name of a variable
-->   remedy: text stands in quotes: write "physical"
