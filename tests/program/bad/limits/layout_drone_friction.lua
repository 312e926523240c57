-- robot: ../tree/fine_drone.urdf
return {
  base = "floating",
  friction = "input",
}
--> layout_drone_friction.lua:4: error: "friction" is of joints, and no joint moves here
-->   remedy: leave it out
