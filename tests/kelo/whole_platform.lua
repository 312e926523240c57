-- The whole platform with four drives, free in space, with the rotors that its world has at the wheels.
local armature = {}
for _, drive in ipairs { "front_left", "rear_left", "rear_right", "front_right" } do
  armature[drive .. "_left"], armature[drive .. "_right"] = 0.002, 0.002
end

return { name = "whole_platform", base = "floating", armature = armature, groups = {} }
