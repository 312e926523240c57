/* SPDX-License-Identifier: MIT */
/* sandbox.c: see sandbox.h */
#include "script/sandbox.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LAYOUT_MEMORY = 64 << 20,    /* of a layout's values [bytes] */
  LAYOUT_BLOCK = 17 << 20,     /* of one table [bytes] */
  LAYOUT_TEXT = 1 << 20,       /* of one text [bytes]: no single call on it takes long */
  LAYOUT_STEPS = 20 * 1000000, /* instructions that a layout may take */
  LAYOUT_SECONDS = 2,          /* time that it may take */
  STEPS = 100                  /* after so many instructions both are looked at */
};

/* Chunks of a layout are named "layout 0", those of what it includes "layout 1" and so on. */
static const char *const chunk_prefix = "layout ";

/* Sources that returned nothing where they were included: a table in the registry. */
static const char *const defining = "ag_defining";

/* The source that text at *at names; moves *at behind. -1: none. */
static int named_source(const char **at) {
  const size_t length = strlen(chunk_prefix);
  if (strncmp(*at, chunk_prefix, length) != 0) return -1;
  char *end;
  const long index = strtol(*at + length, &end, 10);
  *at = end;
  return (int)index;
}

/* The line of the layout that runs. */
static ag_position current_position(lua_State *L) {
  lua_Debug where;
  memset(&where, 0, sizeof where);
  for (int level = 0; lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sl", &where);
    const char *chunk = where.short_src;
    const int source = named_source(&chunk);
    if (source >= 0) return (ag_position){source, where.currentline};
  }
  return (ag_position){0, 0};
}

void *ag_limited_alloc(void *data, void *old, size_t old_size, size_t new_size) {
  ag_script *s = data;
  const size_t most = !old && old_size == LUA_TSTRING ? LAYOUT_TEXT : LAYOUT_BLOCK;
  if (!old) old_size = 0; /* but the kind of the value that it is for */
  if (new_size == 0) {
    s->memory -= old_size;
    if (old) ag_pool_free(&s->pool, old, old_size);
    return NULL;
  }
  const size_t more = new_size > old_size ? new_size - old_size : 0;
  if (more > 0 && (s->memory + more > s->memory_limit || (s->in_layout && new_size > most))) {
    if (s->in_layout) s->failed_at = current_position(s->lua);
    return NULL;
  }
  void *bytes = ag_pool_resize(&s->pool, old, old_size, new_size);
  if (!bytes) ag_out_of_memory(); /* not a limit of ours: a shorter candidate would not help */
  s->memory += new_size - old_size;
  return bytes;
}

/* Loads a source as a function in the sandbox; what lua_load says. */
static int load_source(ag_script *s, int index) {
  const ag_source *source = &s->sources.list[index];
  if (source->length > 0 && source->text[0] == LUA_SIGNATURE[0]) {
    ag_fail(s->err, source->file.path, 0, "give the layout as text: Lua that returns a table",
            "the layout is Lua bytecode, which is not read");
    lua_pushnil(s->lua);
    return LUA_ERRSYNTAX;
  }
  char chunk[32];
  snprintf(chunk, sizeof chunk, "=%s%d", chunk_prefix, index);
  const int failed = luaL_loadbufferx(s->lua, source->text, source->length, chunk, "t");
  if (failed) return failed;
  lua_rawgeti(s->lua, LUA_REGISTRYINDEX, s->environment);
  lua_setupvalue(s->lua, -2, 1);
  return LUA_OK;
}

static void count_steps(lua_State *L, lua_Debug *where) {
  (void)where;
  ag_script *s = ag_script_of(L);
  s->steps += STEPS;
  const bool late = clock() - s->began > (clock_t)LAYOUT_SECONDS * CLOCKS_PER_SEC;
  if (s->steps <= LAYOUT_STEPS && !late) return;
  s->excess = ag_printf(s->arena, late ? "%d seconds" : "%d million instructions",
                        late ? (int)LAYOUT_SECONDS : LAYOUT_STEPS / 1000000);
  luaL_error(L, "too much");
}

/* include(name): what the file returns; it runs each time */
static int l_include(lua_State *L) {
  ag_script *s = ag_script_of(L);
  count_steps(L, NULL); /* reading a file takes as long as many instructions */
  const ag_position at = current_position(L);
  const ag_place from = {ag_source_path(s, at.source), at.line};
  const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
  if (!name)
    ag_fail(s->err, from.file, from.line, "write include \"arm.lua\"",
            "include takes the name of a file");
  int index;
  if (!name || !ag_sources_include(&s->sources, name, from, &index, s->arena, s->err))
    return lua_error(L);
  s->including[s->depth++] = at.source;
  for (int k = 0; k < s->depth; k++)
    if (s->including[k] == index)
      ag_fail(s->err, from.file, from.line, "take one include out of the circle",
              "%s includes itself, directly or through others", name);
  if (s->depth == AG_INCLUDE_DEPTH)
    ag_fail(s->err, from.file, from.line, "include the files from the layout",
            "files include one another more than %d deep", AG_INCLUDE_DEPTH - 1);
  if (s->err->set) return lua_error(L);
  if (load_source(s, index)) return lua_error(L);
  lua_call(L, 0, 1);
  s->depth--;
  if (!lua_isnil(L, -1)) return 1;
  lua_getfield(L, LUA_REGISTRYINDEX, defining);
  lua_pushboolean(L, 1);
  lua_rawseti(L, -2, index + 1);
  lua_pop(L, 1);
  return 1;
}

/* source_text(name, line, source): the text of a file that is named there, and its source */
static int l_source_text(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const ag_place from = {ag_source_path(s, (int)luaL_checkinteger(L, 3) - 1),
                         (int)luaL_checkinteger(L, 2)};
  int index;
  if (!ag_sources_include(&s->sources, luaL_checkstring(L, 1), from, &index, s->arena, s->err))
    return lua_error(L);
  lua_pushlstring(L, s->sources.list[index].text, s->sources.list[index].length);
  lua_pushinteger(L, index + 1);
  return 2;
}

/* defines(source): is it a file that returned nothing where it was included? */
static int l_defines(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, defining);
  lua_rawgeti(L, -1, luaL_checkinteger(L, 1));
  lua_pushboolean(L, lua_toboolean(L, -1));
  return 1;
}

/* ---- what sandbox.lua says about names that are not defined ---- */

/* here(): the line of the layout that runs, and its source */
static int l_here(lua_State *L) {
  const ag_position at = current_position(L);
  lua_pushinteger(L, at.line);
  lua_pushinteger(L, at.source + 1);
  return 2;
}

static void add_name(lua_State *L, int list, const char *name) {
  lua_pushstring(L, name);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* names(): of the robot's links and joints */
static int l_names(lua_State *L) {
  const ag_model *model = ag_script_of(L)->model;
  lua_newtable(L);
  for (int k = 0; model && k < model->nlinks; k++) {
    add_name(L, 1, model->links[k].name);
    if (model->links[k].joint.name) add_name(L, 1, model->links[k].joint.name);
  }
  return 1;
}

/* locals(): the variables that the function of the layout that runs can see */
static int l_locals(lua_State *L) {
  lua_Debug where;
  memset(&where, 0, sizeof where);
  lua_settop(L, 0);
  lua_newtable(L);
  for (int level = 0; lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sf", &where);
    const char *chunk = where.short_src;
    if (named_source(&chunk) >= 0) break;
    lua_settop(L, 1);
  }
  if (lua_gettop(L) == 1) return 1;
  const char *name;
  for (int k = 1; (name = lua_getupvalue(L, 2, k)) != NULL; k++)
    if (strcmp(name, "_ENV") != 0) add_name(L, 1, name);
  for (int k = 1; (name = lua_getlocal(L, &where, k)) != NULL; k++)
    if (name[0] != '(') add_name(L, 1, name); /* else a value without a name */
  lua_settop(L, 1);
  return 1;
}

static int note_line(lua_State *L) { /* an error's handler: before the stack unwinds */
  ag_script *s = ag_script_of(L);
  s->failed_at = current_position(L);
  return 1;
}

/* "layout 0:12: what", "sandbox.lua:30: what": what, and the ag_position where the layout is named.
 */
static const char *without_place(const char *message, ag_position *at) {
  const char *rest = message;
  const int source = named_source(&rest);
  if (source < 0 && strncmp(message, "sandbox.lua", 11) == 0) rest = message + 11;
  if (*rest != ':') return message;
  char *end;
  const long line = strtol(rest + 1, &end, 10);
  if (strncmp(end, ": ", 2) != 0) return message;
  if (source >= 0) *at = (ag_position){source, (int)line};
  return end + 2;
}

/* What users do who meet this message of Lua's parser, or of a running layout. */
static const char *remedy_of(const char *message) {
  if (strcmp(message, "unexpected symbol near '<'") == 0)
    return "this looks like XML; the URDF stands before --layout, a Lua file after it";
  if (strstr(message, "near <eof>")) return "close what is open: a brace } or an end is missing";
  if (strstr(message, " expected") && strstr(message, " near "))
    return "look at the end of the line before, too: entries of a table are separated by commas";
  return "correct the Lua there; a layout may use math, string and table";
}

bool ag_run_layout(ag_script *s) {
  lua_State *L = s->lua;
  lua_getglobal(L, "require");
  lua_pushstring(L, "sandbox");
  lua_call(L, 1, 1);
  const int sandbox = lua_gettop(L);
  lua_getfield(L, sandbox, "environment");
  s->environment = luaL_ref(L, LUA_REGISTRYINDEX);
  /* methods of text are those of the sandbox */
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  const int strings = lua_gettop(L);
  lua_getfield(L, strings, "__index");
  lua_getfield(L, sandbox, "string");
  lua_setfield(L, strings, "__index");
  lua_pushcfunction(L, note_line);
  const int handler = lua_gettop(L);

  s->memory_limit = s->memory + LAYOUT_MEMORY;
  s->in_layout = true;
  s->began = clock();
  lua_sethook(L, count_steps, LUA_MASKCOUNT, STEPS);
  int failed = load_source(s, 0);
  if (!failed) failed = lua_pcall(L, 0, 1, handler);
  if (!failed) {
    lua_getfield(L, sandbox, "finish");
    failed = lua_pcall(L, 0, 0, handler);
  }
  lua_sethook(L, NULL, 0, 0);
  s->in_layout = false;
  s->memory_limit = AG_MEMORY_LIMIT;

  lua_pushvalue(L, handler - 1); /* all methods of text again */
  lua_setfield(L, strings, "__index");
  lua_replace(L, sandbox);
  lua_settop(L, sandbox);
  if (!failed) return true;
  if (s->err->set) return false;
  if (failed == LUA_ERRMEM)
    s->excess = ag_printf(s->arena, "%d MB of memory, or %d MB for one text", LAYOUT_MEMORY >> 20,
                          LAYOUT_TEXT >> 20);
  if (s->excess)
    return ag_fail(s->err, ag_source_path(s, s->failed_at.source), s->failed_at.line,
                   "a layout is a short description: return a table",
                   "the layout needs more than %s", s->excess);
  const char *message = lua_type(L, -1) == LUA_TSTRING
                            ? lua_tostring(L, -1)
                            : "an error was raised with a value that is not text";
  ag_position at = s->failed_at;
  message = without_place(message, &at);
  return ag_fail(s->err, ag_source_path(s, at.source), at.line, remedy_of(message), "Lua: %s",
                 message);
}

void ag_push_sources(ag_script *s) {
  lua_State *L = s->lua;
  lua_createtable(L, s->sources.count, 0);
  for (int k = 0; k < s->sources.count; k++) {
    const ag_source *source = &s->sources.list[k];
    lua_newtable(L);
    ag_set_string(L, "name", source->file.name);
    lua_pushlstring(L, source->text, source->length);
    lua_setfield(L, -2, "text");
    lua_rawseti(L, -2, k + 1);
  }
}

void ag_open_sandbox(lua_State *L) {
  static const luaL_Reg functions[] = {{"include", l_include},
                                       {"defines", l_defines},
                                       {"source_text", l_source_text},
                                       {"here", l_here},
                                       {"names", l_names},
                                       {"locals", l_locals},
                                       {NULL, NULL}};
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, defining);
  luaL_setfuncs(L, functions, 0);
}
