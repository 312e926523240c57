-- robot: ../../../../robots/gen3.urdf
return {
  limits = {}, groups = { { name = "limits", frame = "tool_frame" } },
}
--> layout_bounded_name.lua:3: error: a group cannot be named "limits" beside limits of joints
-->   remedy: choose another name
