-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow",
      joints = {} },
  },
}
--> layout_joint_row_none.lua:5: error: group "elbow" has no joints
-->   remedy: name some, or leave the group out
