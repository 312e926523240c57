-- robot: ../../../../robots/gen3.urdf
return { colour = "red" }
--> layout_unknown_word_far.lua:2: error: unknown word "colour"
-->   remedy: there is "name", "root", "tips", "locked", "passive", "base", "orientation", "gravity", "armature", "effort", "inertials", "joint_limits", ...
