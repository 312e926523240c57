-- SPDX-License-Identifier: MIT
-- The controller's model: the links alone, as if the springs were rigid and the rotors were not there.
return {
  name = "model",
  gravity = { 0, 0, -9.81 },
  groups = {},
  locked = { rotor_1 = 0, rotor_2 = 0 },
}
