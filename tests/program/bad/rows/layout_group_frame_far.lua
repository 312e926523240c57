-- robot: ../../../../robots/gen3.urdf
return { groups = { { name = "tool", frame = "?" } } }
--> layout_group_frame_far.lua:2: error: the robot has no link "?"
-->   remedy: there is "base_link", "shoulder_link", "half_arm_1_link", "half_arm_2_link", "forearm_link", "spherical_wrist_1_link", "spherical_wrist_2_link", "bracelet_link", "end_effector_link", "tool_frame"
