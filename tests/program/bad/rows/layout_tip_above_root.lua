-- robot: ../../../../robots/gen3.urdf
return {
  root = "forearm_link",
  tips = { "tool_frame",
           "shoulder_link" },
}
--> layout_tip_above_root.lua:5: error: tip "shoulder_link" is not below root "forearm_link"
-->   remedy: name tips below the root, or another root
