-- robot: ../../../../robots/gen3.urdf
local joints = { wrist = "joint_7" }
return {
  passive = { joints.elbow, joints.wrist },
}
--> layout_list_hole.lua:4: error: value 1 of "passive" is nothing
-->   remedy: a variable there, or a field of a table, is nil: give it a value
