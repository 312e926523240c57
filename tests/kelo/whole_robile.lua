-- The whole Robile, free in space, with the rotors that its world has at the wheels.
return {
  name = "whole_robile",
  base = "floating",
  armature = { left_left = 0.002, left_right = 0.002, right_left = 0.002, right_right = 0.002 },
  groups = {},
}
