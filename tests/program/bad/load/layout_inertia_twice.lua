-- robot: ../../../../robots/gen3.urdf
return { inertia_inputs = { "bracelet_link",
  "bracelet_link" } }
--> layout_inertia_twice.lua:3: error: "bracelet_link" is listed twice in "inertia_inputs"
-->   remedy: leave one out
