-- robot: ../../../robots/gen3.urdf
return {
  friction = { coulomb = { joint_1 = 2 }, period = "input" },
  wrenches = { { name = "period", frame = "tool_frame", kind = "physical" } },
}
