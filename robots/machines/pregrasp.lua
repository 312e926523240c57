-- Moving the tool to where it can grasp, within a tube around the line to the goal (Vukcevic 2020).
--   achdgen --machine robots/machines/pregrasp.lua
-- The first reaction that matches wins. What holds everywhere stands first. After what latches only the program's own
-- e_initialized starts a motion again; a tool that is drawn out of the goal area does not.

return {
  name = "pregrasp",
  doc = "to a goal area along a line, within a tube around it",
  initial = "stop_motion",

  states = {
    { name = "stop_motion", doc = "hold the position" },
    { name = "start_to_cruise", doc = "into the tube, no speed along it" },
    { name = "cruise_through_tube", doc = "along the tube at its speed" },
  },

  events = {
    { name = "e_joint_limit", by = "the limit monitor", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_contact", by = "the contact monitor", latches = true },
    { name = "e_goal_area", by = "the task's errors" },
    { name = "e_initialized", by = "the program", releases = true },
    { name = "e_out_of_goal_area", by = "the task's errors" },
    { name = "e_within_tube", by = "the task's errors" },
    { name = "e_out_of_tube", by = "the task's errors" },
  },

  transitions = {
    { name = "stop", from = "any", to = "stop_motion" },
    { name = "start", from = "stop_motion", to = "start_to_cruise" },
    { name = "cruise", from = "start_to_cruise", to = "cruise_through_tube" },
    { name = "return_to_tube", from = "cruise_through_tube", to = "start_to_cruise" },
  },

  reactions = {
    { when = { "e_joint_limit", "e_timeout" }, transition = "stop" },
    { when = { "e_contact", "e_goal_area" }, transition = "stop" },
    { when = { "e_initialized", "e_out_of_goal_area" }, transition = "start" },
    { when = "e_out_of_tube", transition = "return_to_tube" },
    { when = "e_within_tube", transition = "cruise" },
  },
}
