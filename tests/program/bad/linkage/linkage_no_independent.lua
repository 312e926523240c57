-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", ties = { { frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } } } },
}
--> linkage_no_independent.lua:3: error: linkage "bar" has no independent joints
-->   remedy: name those whose positions are inputs: independent = { ... }
