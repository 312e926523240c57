-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", joint = "joint_4",
      bounds = { joint_5 = { -1, 1 } } },
  },
}
--> layout_joint_row_bounds.lua:5: error: unknown word "joint_5" in "groups[1].bounds"
-->   remedy: did you mean "joint_4"?
