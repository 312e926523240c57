/* SPDX-License-Identifier: MIT */
/* tables.c: see tables.h */
#include "script/tables.h"

#include "base/value.h"
#include "script/scalars.h"
#include "script/state.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b) {
  return strcmp(((const ag_value *)a)->key, ((const ag_value *)b)->key);
}

/* The value on top of the stack, which it leaves there: of our own scripts, so numbers, text, truth
 * and tables of them. */
static ag_value to_value(ag_script *s, const char *key) {
  lua_State *L = s->lua;
  ag_value v = {.key = key};
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
  case LUA_TUSERDATA: {
    const ag_number number = ag_to_number(L, -1);
    v.type = AG_VALUE_NUMBER;
    v.number = number.value;
    v.exact = number.exact;
    return v;
  }
  case LUA_TBOOLEAN:
    v.type = AG_VALUE_BOOLEAN;
    v.number = lua_toboolean(L, -1);
    return v;
  case LUA_TSTRING:
    v.type = AG_VALUE_TEXT;
    v.text = ag_strdup(s->arena, lua_tostring(L, -1));
    return v;
  default:
    break;
  }
  luaL_checktype(L, -1, LUA_TTABLE);
  luaL_checkstack(L, 4, "a value too deep");
  v.type = AG_VALUE_TABLE;
  v.length = (int)lua_rawlen(L, -1);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) v.count++;
  ag_value *items = ag_alloc(s->arena, (size_t)(v.count + 1) * sizeof *items);
  for (int k = 0; k < v.length; k++) {
    lua_rawgeti(L, -1, k + 1);
    items[k] = to_value(s, NULL);
    lua_pop(L, 1);
  }
  int n = v.length;
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) {
      items[n] = to_value(s, ag_strdup(s->arena, lua_tostring(L, -2)));
      n++;
    }
  assert(n == v.count);
  qsort(items + v.length, (size_t)(v.count - v.length), sizeof *items, by_key);
  v.items = items;
  return v;
}

int ag_take_value(lua_State *L) {
  ag_value *result = lua_touserdata(L, 2);
  lua_settop(L, 1);
  *result = to_value(ag_script_of(L), NULL);
  return 0;
}
