/* SPDX-License-Identifier: MIT */
/* embed.c: embed OUT.c FILE...
 *
 * A program of its own, which runs while achdgen is built: writes files as C, for base/embedded.h. Lua scripts
 * are written as text and compiled, with their lines: to read them is half of what a short run does. */
#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct target {
  FILE *out;
  size_t size;
} target;

/* Appends to a string literal. */
static void put_byte(target *t, unsigned char byte) {
  if (t->size % 64 == 0) fputs("\"\n  \"", t->out);
  if (byte == '"' || byte == '\\')
    fprintf(t->out, "\\%c", byte);
  else if (byte >= ' ' && byte <= '~' && byte != '?')
    fputc(byte, t->out);
  else
    fprintf(t->out, "\\%03o", byte);
  t->size++;
}

static int put_bytes(lua_State *L, const void *bytes, size_t size, void *data) {
  (void)L;
  for (size_t k = 0; k < size; k++) put_byte(data, ((const unsigned char *)bytes)[k]);
  return 0;
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The Lua script on the stack's top, compiled; how many bytes. */
static size_t put_compiled(lua_State *L, FILE *out, int index) {
  target compiled = {.out = out};
  fprintf(out, "static const char compiled_%d[] = \"", index);
  lua_dump(L, put_bytes, &compiled, 0);
  fputs("\";\n", out);
  return compiled.size;
}

/* Writes file `index` of the table; its lines of the table go to `table`. */
static bool put_file(lua_State *L, FILE *out, FILE *table, int index, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  target as_text = {.out = out};
  fprintf(out, "static const char text_%d[] = \"", index);
  for (int byte; (byte = fgetc(file)) != EOF;) {
    put_byte(&as_text, (unsigned char)byte);
    luaL_addchar(&text, (char)byte);
  }
  fputs("\";\n", out);
  fclose(file);
  luaL_pushresult(&text);
  const char *name = name_of(path), *end = strrchr(name, '.');
  fprintf(table, "  {\"%s\", text_%d, %zu, ", name, index, as_text.size);
  if (end && strcmp(end, ".lua") == 0) {
    lua_pushfstring(L, "=%s", name);
    if (luaL_loadbufferx(L, lua_tostring(L, -2), as_text.size, lua_tostring(L, -1), "t") !=
        LUA_OK) {
      fprintf(stderr, "embed: %s\n", lua_tostring(L, -1));
      return false;
    }
    fprintf(table, "compiled_%d, %zu},\n", index, put_compiled(L, out, index));
  } else {
    fputs("NULL, 0},\n", table);
  }
  lua_settop(L, 0);
  return true;
}

int main(int argc, char **argv) {
  FILE *out = argc > 1 ? fopen(argv[1], "wb") : NULL, *table = tmpfile();
  lua_State *L = luaL_newstate();
  if (!out || !table || !L) {
    fprintf(stderr, "embed: cannot write %s\n", argc > 1 ? argv[1] : "without a name");
    return EXIT_FAILURE;
  }
  fputs("/* made by embed */\n#include \"base/embedded.h\"\n#include <string.h>\n"
        "#ifdef __GNUC__\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n",
        out);
  for (int k = 2; k < argc; k++)
    if (!put_file(L, out, table, k - 2, argv[k])) {
      fprintf(stderr, "embed: cannot embed %s\n", argv[k]);
      return EXIT_FAILURE;
    }
  fprintf(out, "const char ag_compiled_by[] = \"%s\";\nconst ag_file ag_files[] = {\n", lua_ident);
  rewind(table);
  for (int byte; (byte = fgetc(table)) != EOF;) fputc(byte, out);
  fputs("  {NULL, NULL, 0, NULL, 0}};\n"
        "const ag_file *ag_file_find(const char *name) {\n"
        "  for (const ag_file *f = ag_files; f->name; f++)\n"
        "    if (strcmp(f->name, name) == 0) return f;\n"
        "  return NULL;\n}\n",
        out);
  fclose(table);
  lua_close(L);
  return fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
