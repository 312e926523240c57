local events = { { name = "push", by = "a hand" }, { name = "pull", by = "a hand" } }
for k = 3, 64 do events[k] = { name = "e" .. k, by = "nobody" } end
return {
  name = "door",
  states = { { name = "closed" }, { name = "open" } },
  events = events,
  transitions = {
    { name = "opens", from = "closed", to = "open" },
    { name = "closes", from = "open", to = "closed" },
  },
  reactions = {
    { when = "push", transition = "opens" },
    { when = "pull", transition = "closes" },
  },
}
