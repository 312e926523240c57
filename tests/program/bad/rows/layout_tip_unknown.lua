-- robot: ../../../../robots/gen3.urdf
return { tips = { "tool_frame", "hand" } }
--> layout_tip_unknown.lua:2: error: the robot has no link "hand"
-->   remedy: there is "base_link", "shoulder_link", "half_arm_1_link", "half_arm_2_link", "forearm_link", "spherical_wrist_1_link", "spherical_wrist_2_link", "bracelet_link", "end_effector_link", "tool_frame"
