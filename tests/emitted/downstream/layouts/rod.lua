-- The tip of a rod of 1 m is accelerated across it.
return {
  torques = { physical = true },
  groups = include "task.lua",
}
