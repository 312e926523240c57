-- A table to wipe, at the published height; what it is made of is not published. The pad, 0.06 m square, is as soft as
-- a sponge: 2000 N/m and 90 N s/m as in tests/runtime/tasks_cleaning_test.c, where it lies flat. MuJoCo scales a
-- contact by the mass behind it and adds up the four corners: with these numbers two corners, on which it lands, have
-- 1000 N/m. Friction 0.1.
local sponge = { friction = 0.1, time_constant = 0.5, damping_ratio = 0.22, impedance = 0.1 }

-- The published simulation had friction in the joints, too, which is not printed: none here.
local none = {
  lwr_a1_joint = 0, lwr_a2_joint = 0, lwr_e1_joint = 0, lwr_a3_joint = 0, lwr_a4_joint = 0, lwr_a5_joint = 0,
  lwr_a6_joint = 0,
}

return {
  objects = { { name = "desk", kind = "table", height = 0.12, position = { 0, -0.45 }, size = { 0.8, 0.6 } } },
  robot = {
    friction = none, damping = none,
    force_torque = "pad",
    no_contact = { "lwr_7_link", "lwr_6_link", "lwr_5_link", "lwr_4_link" },
    shapes = { -- the pad alone touches; its bottom is the frame
      pad = { { kind = "box", size = { 0.06, 0.06, 0.01 }, position = { 0, 0, -0.005 }, surface = sponge } },
    },
  },
}
