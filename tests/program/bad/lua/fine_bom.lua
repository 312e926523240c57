-- robot: ../../../../robots/arm1dof.urdf
return { name = "arm" }
--> fine_bom.lua:2: warning: the layout has no groups: constraint rows (1, maskable) and kinematics are at the end of the limb, "tip"; no more of the six directions are possible at once than lin_x; to choose, name frames in groups of a layout: achdgen --init prints one to begin with
