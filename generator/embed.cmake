# embed.cmake: cmake -DOUT=embedded.c "-DFILES=a;b" -P embed.cmake
# Writes a C table of the files' names and bytes (generator/base/embedded.h).
set(text "/* made by embed.cmake */\n#include \"base/embedded.h\"\n#include <string.h>\n")
set(table "")
set(k 0)
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND text "static const unsigned char file_${k}[] = {${bytes}0};\n")
  string(APPEND table "  {\"${name}\", (const char *)file_${k}, ${size}},\n")
  math(EXPR k "${k} + 1")
endforeach()
string(APPEND text "const ag_file ag_files[] = {\n${table}  {NULL, NULL, 0}};\n"
  "const ag_file *ag_file_find(const char *name) {\n"
  "  for (const ag_file *f = ag_files; f->name; f++)\n"
  "    if (strcmp(f->name, name) == 0) return f;\n"
  "  return NULL;\n}\n")
file(WRITE "${OUT}" "${text}")
