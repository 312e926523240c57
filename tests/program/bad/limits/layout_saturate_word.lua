-- robot: ../../../../robots/gen3.urdf
return {
  saturate = "scaled",
}
--> layout_saturate_word.lua:3: error: "saturate" is "scaled"
-->   remedy: write "clamp" or "scale"
