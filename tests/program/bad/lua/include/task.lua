-- A file with a mark of UTF-8 in front, that some editors write.
return {
  groups = {
    { name = "tool", frame = "tool_frame", rows = { "lin_x" } },
  },
}