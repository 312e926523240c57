-- The same without friction: solved once for every vertex of |mu| <= f.
return {
  name = "vertex",
  torques = { physical = true, artificial = true },
  groups = { { name = "tool", frame = "tool_frame" } },
}
