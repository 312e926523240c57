-- robot: ../tree/warn_two_leaves.urdf
return { gravity = "input" }
--> warn_layout_no_groups.lua:2: warning: the layout has no groups: constraint rows (1 each, maskable) and kinematics are at the ends of the limbs, "left", "right"; no more of the six directions are possible at once; to choose, name frames in groups of a layout: achdgen --init prints one to begin with
