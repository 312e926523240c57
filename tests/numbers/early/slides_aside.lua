-- SPDX-License-Identifier: MIT
return {
  gravity = { 0, 0, -9.81 }, singularity = "drop",
  groups = { { name = "tool", frame = "tip", axes = "link", rows = { "lin_x", "lin_z" }, maskable = true } },
  torques = { artificial = true },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
