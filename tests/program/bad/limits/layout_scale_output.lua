-- robot: ../../../../robots/gen3.urdf
return {
  saturate = "clamp",
  groups = { { name = "tool", frame = "tool_frame" } },
  outputs = { "tau_ctrl", "scale" },
}
--> layout_scale_output.lua:5: error: the output "scale" is only there with saturate = "scale"
-->   remedy: write saturate = "scale", or leave it out
