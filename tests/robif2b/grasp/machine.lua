-- To where the arm can grasp (robots/tasks/gen3_pregrasp.lua), on to the object, the fingers closed, and up with it.
--   achdgen --machine tests/robif2b/grasp/machine.lua

return {
  name = "grasping",
  doc = "grasp an object and lift it",
  initial = "stop_motion",

  states = {
    { name = "stop_motion", doc = "hold the position" },
    { name = "start_to_pregrasp", doc = "into the tube, no speed along it" },
    { name = "cruise_to_pregrasp", doc = "along the tube to where it can grasp" },
    { name = "rest", doc = "hold the position where it can grasp" },
    { name = "align_to_object", doc = "the fingers to the object, the tool level" },
    { name = "cruise_to_object", doc = "until the object is between the fingers" },
    { name = "close_fingers", doc = "hold the position while they close" },
    { name = "lift", doc = "up with the object" },
  },

  events = {
    { name = "e_fault", by = "the loop's monitors", everywhere = true, latches = true },
    { name = "e_timeout", by = "the task's clock", everywhere = true, latches = true },
    { name = "e_object_lost", by = "the program: the fingers are nearer than the object is wide", latches = true },
    { name = "e_goal_area", by = "the task's errors" },
    { name = "e_initialized", by = "the program", releases = true },
    { name = "e_closed", by = "the program: the fingers stand" },
    { name = "e_rests", by = "the program: the joints stand" },
    { name = "e_within_tube", by = "the task's errors" },
  },

  transitions = {
    { name = "stop", from = "any", to = "stop_motion" },
    { name = "start", from = "stop_motion", to = "start_to_pregrasp" },
    { name = "cruise", from = "start_to_pregrasp", to = "cruise_to_pregrasp" },
    { name = "pause", from = "cruise_to_pregrasp", to = "rest" },
    { name = "align", from = "rest", to = "align_to_object" },
    { name = "approach", from = "align_to_object", to = "cruise_to_object" },
    { name = "close", from = "cruise_to_object", to = "close_fingers" },
    { name = "raise", from = "close_fingers", to = "lift" },
    { name = "arrive", from = "lift", to = "stop_motion" },
  },

  reactions = {
    { when = { "e_fault", "e_timeout", "e_object_lost" }, transition = "stop" },
    { when = "e_initialized", transition = "start" },
    { when = "e_goal_area", transition = "pause" },
    { when = "e_goal_area", transition = "close" },
    { when = "e_goal_area", transition = "arrive" },
    { when = "e_within_tube", transition = "cruise" },
    { when = "e_within_tube", transition = "approach" },
    { when = "e_rests", transition = "align" },
    { when = "e_closed", transition = "raise" },
  },
}
