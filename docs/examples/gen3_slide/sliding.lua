-- Down to the surface, press, along it. The first reaction that matches is taken.
return {
  name = "sliding",
  initial = "stop",
  states = {
    { name = "stop", doc = "hold the joints" },
    { name = "approach", doc = "down until contact" },
    { name = "align", doc = "press, no speed along the line" },
    { name = "slide", doc = "press, along the line" },
  },
  events = {
    { name = "e_fault", by = "the loop's monitors", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_goal_area", by = "the task's errors", latches = true },
    { name = "e_start", by = "the program", releases = true },
    { name = "e_no_contact", by = "the contact monitor" },
    { name = "e_contact", by = "the contact monitor" },
    { name = "e_pressed", by = "the task: the force is the wanted one" },
  },
  transitions = {
    { name = "halt", from = "any", to = "stop" },
    { name = "arrive", from = "slide", to = "stop" },
    { name = "lower", from = "stop", to = "approach" },
    { name = "lose", from = { "align", "slide" }, to = "approach" },
    { name = "touch", from = "approach", to = "align" },
    { name = "go", from = "align", to = "slide" },
  },
  reactions = {
    { when = { "e_fault", "e_timeout" }, transition = "halt" },
    { when = "e_goal_area", transition = "arrive" },
    { when = "e_start", transition = "lower" },
    { when = "e_no_contact", transition = "lose" },
    { when = "e_contact", transition = "touch" },
    { when = "e_pressed", transition = "go" },
  },
}
