-- kg m^2
return {
  joint_1 = 0.5,
  joint_8 = 0.5,
}
