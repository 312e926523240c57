local states = {}
for k = 1, 65 do states[k] = { name = "s" .. k } end
return {
  name = "door",
  states = states,
  events = { { name = "push", by = "a hand" }, { name = "pull", by = "a hand" } },
  transitions = {
    { name = "opens", from = "closed", to = "open" },
    { name = "closes", from = "open", to = "closed" },
  },
  reactions = {
    { when = "push", transition = "opens" },
    { when = "pull", transition = "closes" },
  },
}
