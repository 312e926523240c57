-- robot: ../../../../robots/gen3.urdf
--[==[ return { outputs = 1 } ]==]
return {
  name = "arm", --[[ }
  ]] groups = {}; ["gravity"] = { 0, 0, -- }
    -9.81 },
  outputs = {
    "qdd", -- "}"
    [[}]],
  },
}
--> layout_string_brace.lua:9: error: unknown output "}"
-->   remedy: there is "qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "pivot_min", "pivot", "residual", "bound", "scale", "Z", ...
