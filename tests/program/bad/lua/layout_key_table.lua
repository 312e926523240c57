-- robot: ../../../../robots/gen3.urdf
return { [{}] = 1, [{}] = 2, [function() end] = 3 }
--> layout_key_table.lua:2: error: unknown word "a table"
-->   remedy: there is "name", "root", "tips", "locked", "passive", "base", "orientation", "gravity", "armature", "effort", "inertials", "joint_limits", ...
