-- robot: ../../../../robots/gen3.urdf
return {
  friction = "input", saturate = true,
}
--> layout_bounded_saturate.lua:3: error: "saturate" cannot be used with bounded rows
-->   remedy: bound the rows instead, and leave it out
