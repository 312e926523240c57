/* SPDX-License-Identifier: MIT */
/* state.c: see state.h */
#include "script/state.h"

#include <lauxlib.h>
#include <math.h>

ag_script *ag_script_of(lua_State *L) {
  return *(ag_script **)lua_getextraspace(L);
}

const char *ag_source_path(const ag_script *s, int source) {
  return source < s->sources.count ? s->sources.list[source].file.path : s->options.layout;
}

int ag_traceback(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) luaL_traceback(L, L, lua_tostring(L, 1), 1);
  return 1;
}

void ag_set_number(lua_State *L, const char *key, double value) {
  if (isnan(value)) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

void ag_set_string(lua_State *L, const char *key, const char *value) {
  if (!value) return;
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

void ag_set_integer(lua_State *L, const char *key, int value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

const char *ag_field_string(lua_State *L, int index, const char *key) {
  ag_script *s = ag_script_of(L);
  lua_getfield(L, index, key);
  const char *text = ag_strdup(s->arena, luaL_checkstring(L, -1));
  lua_pop(L, 1);
  return text;
}

double ag_field_number(lua_State *L, int index, const char *key) {
  lua_getfield(L, index, key);
  const double value = luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return value;
}

bool ag_field_boolean(lua_State *L, int index, const char *key) {
  lua_getfield(L, index, key);
  const bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}
