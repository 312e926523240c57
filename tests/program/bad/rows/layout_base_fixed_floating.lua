-- robot: ../joint/fine_floating_root.urdf
return { base = "fixed" }
--> layout_base_fixed_floating.lua:2: error: "base" is "fixed", but joint "fly" of the URDF (line 3) is floating
-->   remedy: write base = "floating"
