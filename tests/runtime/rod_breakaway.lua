-- A rod that holds more at rest than it rubs with in motion.
return {
  name = "rod_breakaway",
  gravity = { 0, 0, 0 },
  torques = { physical = true },
  friction = { coulomb = { joint1 = 10 }, breakaway = "input", threshold = 0.01 },
  groups = {},
}
