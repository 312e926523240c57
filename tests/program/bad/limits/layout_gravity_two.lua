-- robot: ../../../../robots/gen3.urdf
return {
  gravity = { 0, -9.81 },
}
--> layout_gravity_two.lua:3: error: "gravity" has 2 components
-->   remedy: write three: { 0, 0, -9.81 }
