-- A table with paper at 0.10 m, and a pen of 0.005 m radius at its tip; friction 0.2. All of it is ours.
local side = include "gen3_side.lua"
local paper = { friction = 0.2, time_constant = 0.02, damping_ratio = 1 }
side.objects = { { name = "paper", kind = "table", height = 0.10, position = { 0.45, 0 }, size = { 0.4, 0.4 },
  surface = paper } }
side.robot.shapes.tool_frame = { { kind = "sphere", radius = 0.005, position = { 0, 0, -0.005 } } }
return side
