-- robot: ../../../../robots/gen3.urdf
return {
  name = "arm",
  "qdd",
}
--> layout_unnamed_value.lua:4: error: there is a value without a name in the layout
-->   remedy: name it: there is "name", "root", "tips", "locked", "passive", "base", "orientation", "gravity", "armature", "effort", "inertials", "joint_limits", ...
