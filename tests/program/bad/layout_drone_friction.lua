-- robot: fine_drone.urdf
return {
  base = "floating",
  friction = "input",
}
