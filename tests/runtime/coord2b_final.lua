-- One final state, in which nothing happens: it is the end state of coord2b's machine.
return {
  name = "finite",
  states = { "a", { name = "b", final = true } },
  events = { { name = "e_end", by = "the program" } },
  transitions = { { name = "finish", from = "a", to = "b" } },
  reactions = { { when = "e_end", transition = "finish" } },
}
