-- A quadrotor that carries a load of which mass and centre of mass are known at run time only. The rotors are to give
-- the frame a vertical and an angular acceleration: the wrench that they must exert comes out as base.wrench_ctrl.
-- Nothing constrains its horizontal motion, which is a result.
return {
  payload = { frame = "hook", mass = "input", com = "input" },
  wrenches = { { name = "wind", frame = "frame", kind = "physical" } },
  groups = {
    { name = "rotors", frame = "frame", axes = "link", rows = { "lin_z", "ang_x", "ang_y", "ang_z" } },
  },
  outputs = { "nu", "pivot_min", pose = { "camera" }, twist = { "camera" } },
}
