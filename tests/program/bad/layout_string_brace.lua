-- robot: ../../../robots/gen3.urdf
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
