-- Stop, into the tube, along it. The first reaction that matches is taken.
return {
  name = "steps",
  initial = "stop",
  states = {
    { name = "stop", doc = "hold the joints" },
    { name = "enter", doc = "into the tube, no speed along it" },
    { name = "travel", doc = "along the tube" },
  },
  events = {
    { name = "e_fault", by = "the loop's monitors", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_contact", by = "the contact monitor", latches = true },
    { name = "e_goal_area", by = "the task's errors" },
    { name = "e_start", by = "the program", releases = true },
    { name = "e_within_tube", by = "the task's errors" },
    { name = "e_out_of_tube", by = "the task's errors" },
  },
  transitions = {
    { name = "halt", from = "any", to = "stop" },
    { name = "begin", from = "stop", to = "enter" },
    { name = "go", from = "enter", to = "travel" },
    { name = "correct", from = "travel", to = "enter" },
  },
  reactions = {
    { when = { "e_fault", "e_timeout", "e_contact", "e_goal_area" }, transition = "halt" },
    { when = "e_start", transition = "begin" },
    { when = "e_out_of_tube", transition = "correct" },
    { when = "e_within_tube", transition = "go" },
  },
}
