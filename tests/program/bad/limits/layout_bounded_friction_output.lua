-- robot: ../../../../robots/gen3.urdf
return {
  limits = {}, outputs = { "tau_friction" },
}
--> layout_bounded_friction_output.lua:3: error: "tau_friction" needs friction of joints
-->   remedy: add friction = "urdf", or leave it out
