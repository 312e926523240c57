-- Following a path of waypoints, each with a tube of its own before it (Vukcevic 2020).
--   achdgen --machine robots/machines/path.lua

return {
  name = "path",
  doc = "from waypoint to waypoint, within a tube before each",
  initial = "stop_motion",

  states = {
    { name = "stop_motion", doc = "hold the position" },
    { name = "start_to_cruise", doc = "into the tube, no speed along it" },
    { name = "follow_path", doc = "along the section's tube at its speed" },
    { name = "transition_path_section", doc = "the next waypoint's task takes effect in the next cycle" },
  },

  events = {
    { name = "e_joint_limit", by = "the limit monitor", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_contact", by = "the contact monitor", latches = true },
    { name = "e_final_goal_area", by = "the task's errors, in the last section" },
    { name = "e_initialized", by = "the program", releases = true },
    { name = "e_out_of_goal_area", by = "the task's errors, in the last section" },
    { name = "e_section_covered", by = "the task's errors: the goal area of a waypoint that is not the last" },
    { name = "e_section_changed", doc = "the next section is in effect" },
    { name = "e_within_tube", by = "the task's errors" },
    { name = "e_out_of_tube", by = "the task's errors" },
  },

  transitions = {
    { name = "stop", from = "any", to = "stop_motion" },
    { name = "start", from = "stop_motion", to = "start_to_cruise" },
    { name = "cruise", from = "start_to_cruise", to = "follow_path" },
    { name = "return_to_tube", from = "follow_path", to = "start_to_cruise" },
    { name = "change_section", from = { "start_to_cruise", "follow_path" }, to = "transition_path_section" },
    { name = "resume", from = "transition_path_section", to = "follow_path" },
  },

  reactions = {
    { when = { "e_joint_limit", "e_timeout" }, transition = "stop" },
    { when = { "e_contact", "e_final_goal_area" }, transition = "stop" },
    { when = { "e_initialized", "e_out_of_goal_area" }, transition = "start" },
    { when = "e_section_covered", transition = "change_section", raise = "e_section_changed" },
    { when = "e_section_changed", transition = "resume" },
    { when = "e_out_of_tube", transition = "return_to_tube" },
    { when = "e_within_tube", transition = "cruise" },
  },
}
