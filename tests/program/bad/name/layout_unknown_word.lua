-- robot: ../../../../robots/gen3.urdf
return {
  gravity = "input",
  grups = {},
}
--> layout_unknown_word.lua:4: error: unknown word "grups"
-->   remedy: did you mean "groups"?
