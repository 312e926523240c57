-- robot: ../joint/fine_floating_root.urdf
return {
  base = "planar",
  groups = { { name = "tip", frame = "leg" } },
}
--> layout_base_planar_floating.lua:3: error: "base" is "planar", but joint "fly" of the URDF (line 3) is floating
-->   remedy: write base = "floating"
