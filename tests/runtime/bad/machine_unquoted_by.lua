return {
  name = "door", initial = "closed",
  states = { { name = "closed" }, { name = "open" } },
  events = { { name = "push", by = hand }, { name = "pull", by = "a hand" } },
  transitions = {
    { name = "opens", from = "closed", to = "open" },
    { name = "closes", from = "open", to = "closed" },
  },
  reactions = {
    { when = "push", transition = "opens" },
    { when = "pull", transition = "closes" },
  },
}
