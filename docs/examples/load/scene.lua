-- A box of 1.5 kg on a table, 40 mm wide, between the fingers of the arm at its home; its centre is 20 mm beyond them
-- and 10 mm below.
return {
  objects = {
    {
      name = "desk", kind = "table", height = 0.354, position = { 0.60, 0.10 }, size = { 0.2, 0.4 },
      surface = { friction = 0.5, time_constant = 0.004 },
    },
    {
      name = "parcel", kind = "package", size = { 0.08, 0.04, 0.14 }, mass = 1.5,
      position = { 0.566, 0.00135, 0.424 },
    },
  },
  robot = { shapes = { tool_frame = {}, end_effector_link = {}, bracelet_link = {} } },
}
