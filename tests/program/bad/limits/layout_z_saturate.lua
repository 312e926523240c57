-- robot: ../../../../robots/gen3.urdf
return {
  saturate = true,
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "qdd", "Z" },
}
--> layout_z_saturate.lua:5: error: "Z" is of the solve that every freedom realises, without limits of torque
-->   remedy: leave it out
