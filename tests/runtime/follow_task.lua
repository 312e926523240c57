-- A base stays a metre behind a person and a little to the left, and looks where the person does.
local abag = include("abag.lua").gen3_load

return {
  name = "follow",
  tasks = {
    move_compliantly {
      name = "behind",
      object = "person",
      motion_frame = { p = { -1, 0.3, 0 }, R = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
      x = { position = 0, tolerance = 0, largest = 20, abag = abag.x },
      y = { position = 0, tolerance = 0, largest = 20, abag = abag.y },
      orientation = { about = { "rz" }, tolerance = 1e-6, largest = 60, abag = abag.angular },
      prediction = 0.1,
      stop_when = { time = 60 },
    },
  },
}
