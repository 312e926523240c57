-- robot: ../joint/warn_limit_missing.urdf
return { limits = { margin = 0.1 } }
--> layout_limits_none.lua:2: error: no joint has limits
-->   remedy: give them as joint_limits = { joint = { lower = -1, upper = 1 } }, or leave limits out
