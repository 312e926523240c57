/* SPDX-License-Identifier: MIT */
/* messages.c: see messages.h */
#include "script/messages.h"

#include "base/names.h"
#include "script/state.h"

#include <lauxlib.h>
#include <string.h>

static int l_reserved(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_pushboolean(L, strcmp(ag_identifier(name, ag_script_of(L)->arena), name) != 0);
  return 1;
}

/* near(name, names, otherwise): the advice `did you mean ...?`, or the other */
static int l_near(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const int count = (int)luaL_len(L, 2);
  const char **names = ag_alloc(s->arena, (size_t)(count + 1) * sizeof *names);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, 2, k + 1);
    names[k] = ag_strdup(s->arena, luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  const char *near = ag_near_names(names, count, luaL_checkstring(L, 1), s->arena);
  lua_pushstring(L, ag_did_you_mean(near, luaL_checkstring(L, 3), s->arena));
  return 1;
}

/* fail(line, source, what, remedy): the layout is to blame, or what it includes */
static int l_fail(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const char *file =
      s->options.layout ? ag_source_path(s, (int)luaL_checkinteger(L, 2) - 1) : s->model->path;
  const int line = s->options.layout ? (int)luaL_checkinteger(L, 1) : 0;
  ag_fail(s->err, file, line, luaL_checkstring(L, 4), "%s", luaL_checkstring(L, 3));
  return lua_error(L);
}

static int l_warn(lua_State *L) { /* warn(line, text): of the URDF; line 0: none is to blame */
  ag_script *s = ag_script_of(L);
  ag_note_add(&s->reduced.warnings, &s->reduced.nwarnings, s->arena, (int)luaL_checkinteger(L, 1),
              "%s", luaL_checkstring(L, 2));
  return 0;
}

static int
l_warn_layout(lua_State *L) { /* warn_layout(line, source, text): what is odd in a layout */
  ag_script *s = ag_script_of(L);
  const int index = (int)luaL_checkinteger(L, 2) - 1;
  if (index < 0 || index >= s->sources.count) return 0;
  ag_source *source = &s->sources.list[index];
  ag_note_add(&source->warnings, &source->nwarnings, s->arena, (int)luaL_checkinteger(L, 1), "%s",
              luaL_checkstring(L, 3));
  return 0;
}

static int l_fail_model(lua_State *L) { /* fail_model(line, what, remedy): the URDF is to blame */
  ag_script *s = ag_script_of(L);
  ag_fail(s->err, s->model->path, (int)luaL_checkinteger(L, 1), luaL_checkstring(L, 3), "%s",
          luaL_checkstring(L, 2));
  return lua_error(L);
}

void ag_open_messages(lua_State *L) {
  static const luaL_Reg functions[] = {{"reserved", l_reserved},
                                       {"near", l_near},
                                       {"fail", l_fail},
                                       {"fail_model", l_fail_model},
                                       {"warn_layout", l_warn_layout},
                                       {"warn", l_warn},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
