-- A table, and a fingertip of rubber whose end is the origin of tool_frame. Friction of the joints and of the table,
-- and the softness of the contact, are chosen: nobody has measured them.
return {
  objects = {
    {
      name = "desk", kind = "table", height = 0.10, position = { 0.55, 0 }, size = { 0.5, 0.8 },
      surface = { friction = 0.2, time_constant = 0.05 },
    },
  },
  robot = {
    friction = {
      joint_1 = 0.8, joint_2 = 0.8, joint_3 = 0.8, joint_4 = 0.8, joint_5 = 0.3, joint_6 = 0.3, joint_7 = 0.3,
    },
    shapes = {
      tool_frame = { { kind = "sphere", radius = 0.01, position = { 0, 0, -0.01 } } },
      bracelet_link = {}, -- ends behind the fingertip
    },
  },
}
