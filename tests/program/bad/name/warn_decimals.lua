-- robot: ../number/fine_decimals.urdf
return {
  groups = {
    { name = "held", frame = "tool", rows = { "lin_x", "lin_y" } },
    { name = "across", frame = "tool", axes = "link", rows = { "lin_z" } },
    { name = "tilt", frame = "tool", rows = { "ang_z" } },
  },
}
--> warn_decimals.lua:4: warning: row "lin_y" of group "held": a turn of the joints by 1 rad moves along it by 3e-05 of the robot's size at most, which decimals of angles leave; forces along it will be huge: leave it out, or give angles in the URDF with all their digits (pi/2 is 1.5707963267948966)
--> warn_decimals.lua:6: warning: row "ang_z" of group "tilt": a turn of the joints by 1 rad moves along it by 7e-05 rad at most, which decimals of angles leave; forces along it will be huge: leave it out, or give angles in the URDF with all their digits (pi/2 is 1.5707963267948966)
