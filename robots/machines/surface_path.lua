-- Finding a surface, aligning with it and sliding along it from waypoint to waypoint: the machine "surface", and the
-- change of sections of the machine "path" (Vukcevic 2020, who has the two apart). Where the contact is lost it goes
-- down to find the surface again, and the path begins at its first section.
--   achdgen --machine robots/machines/surface_path.lua

local surface = include("surface.lua")

-- The list with more at its end.
local function with(list, more)
  for _, one in ipairs(more) do table.insert(list, one) end
  return list
end

return {
  name = "surface_path",
  doc = "down to a surface, flat on it, along it from waypoint to waypoint",
  initial = surface.initial,

  states = with(surface.states, {
    { name = "transition_path_section", doc = "press, the next waypoint's task takes effect in the next cycle" },
  }),

  events = with(surface.events, {
    { name = "e_section_covered", by = "the task's errors: the goal area of a waypoint that is not the last" },
    { name = "e_section_changed", doc = "the next section is in effect" },
  }),

  transitions = with(surface.transitions, {
    { name = "change_section", from = { "start_to_cruise", "cruise_through_tube" }, to = "transition_path_section" },
    { name = "resume", from = "transition_path_section", to = "cruise_through_tube" },
  }),

  reactions = with(surface.reactions, {
    { when = "e_section_covered", transition = "change_section", raise = "e_section_changed" },
    { when = "e_section_changed", transition = "resume" },
  }),
}
