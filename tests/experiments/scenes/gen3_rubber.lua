-- The table of gen3_side.lua with friction of 0.8, as of the gripper's rubber finger tips on wood. It is ours, chosen
-- after runs with 0.2, 0.5, 0.8 and 1.2: docs/experiments.md.
local side = include "gen3_side.lua"
side.objects[1].surface.friction = 0.8
return side
