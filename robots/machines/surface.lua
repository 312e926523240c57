-- Finding a surface, aligning with it and sliding along it, as in cleaning a table (Vukcevic 2020).
--   achdgen --machine robots/machines/surface.lua

return {
  name = "surface",
  doc = "down to a surface, flat on it, along it to a goal area",
  initial = "stop_motion",

  states = {
    { name = "stop_motion", doc = "hold the position" },
    { name = "approach_surface", doc = "guarded motion, until contact" },
    { name = "align_with_surface", doc = "press, moments and tangential speed zero" },
    { name = "start_to_cruise", doc = "press, into the tube" },
    { name = "cruise_through_tube", doc = "press, along the tube at its speed" },
  },

  events = {
    { name = "e_joint_limit", by = "the limit monitor", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_contact_x_y", by = "the contact monitor: something in the way", latches = true },
    { name = "e_align_error", by = "the task's errors: the moments do not vanish in time", latches = true },
    { name = "e_goal_area", by = "the task's errors" },
    { name = "e_no_contact", by = "the contact monitor" },
    { name = "e_contact_z", by = "the contact monitor" },
    { name = "e_align_done", by = "the task's errors" },
    { name = "e_initialized", by = "the program", releases = true },
    { name = "e_out_of_goal_area", by = "the task's errors" },
    { name = "e_within_tube", by = "the task's errors" },
    { name = "e_out_of_tube", by = "the task's errors" },
  },

  transitions = {
    { name = "stop", from = "any", to = "stop_motion" },
    { name = "stop_sliding", from = { "start_to_cruise", "cruise_through_tube" }, to = "stop_motion" },
    { name = "stop_aligning", from = "align_with_surface", to = "stop_motion" },
    { name = "approach", from = "stop_motion", to = "approach_surface" },
    { name = "lose", from = { "align_with_surface", "start_to_cruise", "cruise_through_tube" },
      to = "approach_surface" },
    { name = "align", from = "approach_surface", to = "align_with_surface" },
    { name = "start", from = "align_with_surface", to = "start_to_cruise" },
    { name = "cruise", from = "start_to_cruise", to = "cruise_through_tube" },
    { name = "return_to_tube", from = "cruise_through_tube", to = "start_to_cruise" },
  },

  reactions = {
    { when = { "e_joint_limit", "e_timeout" }, transition = "stop" },
    { when = { "e_contact_x_y", "e_goal_area" }, transition = "stop_sliding" },
    { when = "e_align_error", transition = "stop_aligning" },
    { when = "e_no_contact", transition = "lose" },
    { when = "e_contact_z", transition = "align" },
    { when = "e_align_done", transition = "start" },
    { when = { "e_initialized", "e_out_of_goal_area" }, transition = "approach" },
    { when = "e_out_of_tube", transition = "return_to_tube" },
    { when = "e_within_tube", transition = "cruise" },
  },
}
