-- robot: ../../../../robots/gen3.urdf
-- A layout of several files: a function library, tables, one of them twice, each its own.
local helper = include "include/helper.lua"
local task = include("include/task.lua")
local again = include "include/task.lua"
again.groups[1].name = "other"
limit = 39 -- a global, which included files see
return {
  armature = helper.all(0.5),
  effort = include "include/effort.lua",
  groups = { task.groups[1], again.groups[1] },
}
