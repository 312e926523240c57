-- robot: ../joint/warn_limit_missing.urdf
return { saturate = true }
--> ../joint/warn_limit_missing.urdf:4: warning: joint "j" is revolute, but has no <limit>: taken as unlimited
--> warn_saturate_no_effort.lua:2: warning: "saturate" cannot limit the torques of joint "j": neither the URDF nor effort in the layout gives a limit
--> warn_saturate_no_effort.lua:2: warning: the layout has no groups: constraint rows (1, maskable) and kinematics are at the end of the limb, "arm"; no more of the six directions are possible at once than ang_z; to choose, name frames in groups of a layout: achdgen --init prints one to begin with
