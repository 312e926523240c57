-- A rod on a base that is moved: six rows at the base, whose b is the acceleration of the base.
return {
  name = "rod_carried",
  base = "floating",
  orientation = "matrix",
  gravity = { 0, 0, 0 },
  torques = { artificial = true },
  -- the URDF's base has no mass; what it is does not matter where the rows hold it
  payload = { frame = "base", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } },
  groups = { { name = "carried", frame = "base", kind = "physical" } },
}
