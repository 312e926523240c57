-- SPDX-License-Identifier: MIT
return {
  groups = { { name = "tool", frame = "tip", rows = { "lin_x", "lin_y", "lin_z" }, maskable = true } },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
