-- Moving the joints to the posture in which a task begins (docs/motion.md): the action of go_to_start is
-- ACHD_LOOP_MOVE.
--   achdgen --machine robots/machines/start.lua

return {
  name = "start",
  doc = "the joints to the start posture of a task",
  initial = "stop_motion",

  states = {
    { name = "stop_motion", doc = "hold the position" },
    { name = "go_to_start", doc = "move the joints" },
  },

  events = {
    { name = "e_fault", by = "the loop's monitors", everywhere = true, latches = true },
    { name = "e_timeout", by = "the loop's clock of the motion", everywhere = true, latches = true },
    { name = "e_moved", by = "the loop: the joints have arrived" },
    { name = "e_initialized", by = "the program", releases = true },
  },

  transitions = {
    { name = "stop", from = "any", to = "stop_motion" },
    { name = "start", from = "stop_motion", to = "go_to_start" },
  },

  reactions = {
    { when = { "e_fault", "e_timeout", "e_moved" }, transition = "stop" },
    { when = "e_initialized", transition = "start" },
  },
}
