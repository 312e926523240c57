-- Two rods, friction in the first joint, one row at the tip.
return {
  name = "two_rods",
  gravity = { 0, 0, 0 },
  friction = { shoulder = 4 },
  torques = { artificial = true },
  groups = { { name = "tip", frame = "tip", rows = { "lin_x" } } },
}
