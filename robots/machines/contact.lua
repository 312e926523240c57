-- What an arm does when something touches it: it goes away from the contact (reflex), stops, and goes on when it is
-- told to, slowly at first; or it floats, so that a person can push it.
--   achdgen --machine robots/machines/contact.lua

return {
  name = "contact",
  doc = "collision, reflex, stop, and on again; floating on request",
  initial = "stopped",

  states = {
    { name = "stopped", doc = "brake, and hold by damping (ACHD_RESPONSE_STOP)" },
    { name = "moving", doc = "the task (ACHD_RESPONSE_NONE)" },
    { name = "moving_slowly", doc = "the task with less speed (ACHD_RESPONSE_SLOW)" },
    { name = "going_away", doc = "gravity only, and along with the contact (ACHD_RESPONSE_AWAY)" },
    { name = "floating", doc = "gravity only: it can be pushed (ACHD_RESPONSE_FLOAT)" },
  },

  events = {
    { name = "e_blind", by = "the observer: a reading is missing or no number", everywhere = true },
    { name = "e_contact", by = "the observer: a joint feels more than its bound" },
    { name = "e_reflex_done", by = "the clock of the reflex" },
    { name = "e_float", by = "the program: somebody wants to lead the arm" },
    { name = "e_stop", by = "the program" },
    { name = "e_resume", by = "the program, after the contact has been released" },
    { name = "e_undisturbed", by = "the clock: no contact for a while" },
  },

  transitions = {
    { name = "stop", from = "any", to = "stopped" },
    { name = "go_away", from = { "moving", "moving_slowly" }, to = "going_away" },
    { name = "come_to_rest", from = "going_away", to = "stopped" },
    { name = "let_float", from = "stopped", to = "floating" },
    { name = "resume", from = { "stopped", "floating" }, to = "moving_slowly" },
    { name = "hurry", from = "moving_slowly", to = "moving" },
  },

  reactions = {
    { when = "e_blind", transition = "stop" },
    { when = "e_stop", transition = "stop" },
    { when = "e_contact", transition = "go_away" },
    { when = "e_reflex_done", transition = "come_to_rest" },
    { when = "e_float", transition = "let_float" },
    { when = "e_resume", transition = "resume" },
    { when = "e_undisturbed", transition = "hurry" },
  },
}
