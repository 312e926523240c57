-- KUKA youBot base on a floor: three rows accelerate it in the plane. A planar base has no motor of its
-- own, so the status says UNACTUATED and base.wrench_ctrl is the force and moment that the four
-- mecanum wheels have to exert on the floor together; the caller shares it out among them.
return {
  base = "planar",
  passive = { "caster_joint_fl", "caster_joint_fr", "caster_joint_bl", "caster_joint_br" },
  wrenches = { { name = "push", frame = "base_link", kind = "physical" } }, -- somebody pushes it
  groups = {
    { name = "platform", frame = "base_link", rows = { "lin_x", "lin_y", "ang_z" }, maskable = true },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
