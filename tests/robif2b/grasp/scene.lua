-- A box of 0.2 kg, 40 mm wide, on a table in front of where the pre-grasp task ends, turned as the tool is there:
-- that task leaves the orientation free. All numbers are ours.
return {
  objects = {
    {
      name = "desk", kind = "table", height = 0.355, position = { 0.60, 0.27 }, size = { 0.2, 0.3 },
      surface = { friction = 0.5, time_constant = 0.004 },
    },
    {
      name = "parcel", kind = "package", size = { 0.04, 0.04, 0.10 }, mass = 0.2, position = { 0.5400, 0.2651, 0.405 },
      rpy = { 0, 0, 0.495 },
    },
  },
  robot = { shapes = { tool_frame = {}, end_effector_link = {}, bracelet_link = {} } },
}
