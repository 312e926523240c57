/* scalars.c: see scalars.h */
#include "script/scalars.h"

#include "base/sincos.h"
#include "base/text.h"
#include "script/state.h"

#include <lauxlib.h>
#include <math.h>

enum { MOST_NODES = 400 * 1000 }; /* of a program: more statements are too many for a C compiler */

static const char *const node_type = "ag_node";

void ag_push_node(lua_State *L, ag_id id) {
  ag_script *s = ag_script_of(L);
  const ag_node *n = &s->program->dag.nodes[id];
  if (s->program->dag.count > MOST_NODES) {
    s->too_long = true;
    luaL_error(L, "too long");
  }
  if (n->op == AG_CONST) {
    lua_pushnumber(L, n->value);
    return;
  }
  if (n->op == AG_BOOL) {
    lua_pushboolean(L, n->value != 0);
    return;
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "ag_nodes");
  if (lua_rawgeti(L, -1, id + 1) == LUA_TNIL) {
    lua_pop(L, 1);
    *(ag_id *)lua_newuserdatauv(L, sizeof(ag_id), 0) = id;
    luaL_setmetatable(L, node_type);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, id + 1);
  }
  lua_remove(L, -2);
}

ag_id ag_to_node(lua_State *L, int index) {
  ag_dag *dag = &ag_script_of(L)->program->dag;
  if (lua_type(L, index) == LUA_TNUMBER) return ag_constant(dag, lua_tonumber(L, index));
  if (lua_type(L, index) == LUA_TBOOLEAN) return ag_bool(dag, lua_toboolean(L, index));
  return *(ag_id *)luaL_checkudata(L, index, node_type);
}

static bool is_node(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA;
}

typedef ag_id binary(ag_dag *, ag_id, ag_id);

typedef ag_id unary(ag_dag *, ag_id);

static int apply2(lua_State *L, binary *f) {
  ag_dag *dag = &ag_script_of(L)->program->dag;
  const ag_id a = ag_to_node(L, 1), b = ag_to_node(L, 2);
  ag_push_node(L, f(dag, a, b));
  return 1;
}

static int apply1(lua_State *L, unary *f) {
  ag_push_node(L, f(&ag_script_of(L)->program->dag, ag_to_node(L, 1)));
  return 1;
}

static int l_add(lua_State *L) {
  return apply2(L, ag_add);
}

static int l_sub(lua_State *L) {
  return apply2(L, ag_sub);
}

static int l_mul(lua_State *L) {
  return apply2(L, ag_mul);
}

static int l_unm(lua_State *L) {
  return apply1(L, ag_neg);
}

static int l_div(lua_State *L) {
  if (lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) == 0)
    return luaL_error(L, "division by a constant zero");
  return apply2(L, ag_div);
}

/* Functions that work on numbers as on nodes. */
static int l_sin(lua_State *L) {
  if (is_node(L, 1)) return apply1(L, ag_sin);
  lua_pushnumber(L, sin(luaL_checknumber(L, 1)));
  return 1;
}

static int l_cos(lua_State *L) {
  if (is_node(L, 1)) return apply1(L, ag_cos);
  lua_pushnumber(L, cos(luaL_checknumber(L, 1)));
  return 1;
}

static int l_probe(lua_State *L) {
  if (is_node(L, 1)) return apply1(L, ag_probe);
  lua_pushboolean(L, !isfinite(luaL_checknumber(L, 1)));
  return 1;
}

static int l_lt(lua_State *L) {
  if (is_node(L, 1) || is_node(L, 2)) return apply2(L, ag_lt);
  lua_pushboolean(L, luaL_checknumber(L, 1) < luaL_checknumber(L, 2));
  return 1;
}

static int l_eq(lua_State *L) {
  if (is_node(L, 1) || is_node(L, 2)) return apply2(L, ag_eq);
  lua_pushboolean(L, luaL_checknumber(L, 1) == luaL_checknumber(L, 2));
  return 1;
}

static int l_and(lua_State *L) {
  if (is_node(L, 1) || is_node(L, 2)) return apply2(L, ag_and);
  lua_pushboolean(L, lua_toboolean(L, 1) && lua_toboolean(L, 2));
  return 1;
}

static int l_or(lua_State *L) {
  if (is_node(L, 1) || is_node(L, 2)) return apply2(L, ag_or);
  lua_pushboolean(L, lua_toboolean(L, 1) || lua_toboolean(L, 2));
  return 1;
}

static int l_not(lua_State *L) {
  if (is_node(L, 1)) return apply1(L, ag_not);
  lua_pushboolean(L, !lua_toboolean(L, 1));
  return 1;
}

static int l_select(lua_State *L) {
  if (!is_node(L, 1)) {
    lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
    return 1;
  }
  ag_dag *dag = &ag_script_of(L)->program->dag;
  const ag_id condition = ag_to_node(L, 1), yes = ag_to_node(L, 2), no = ag_to_node(L, 3);
  ag_push_node(L, ag_select(dag, condition, yes, no));
  return 1;
}

/* largest_angle(single): that a sine is taken of at run time [rad]; without single: of constants */
static int l_largest_angle(lua_State *L) {
  lua_pushnumber(L, lua_toboolean(L, 1) ? AG_ANGLE_FLOAT : AG_ANGLE_DOUBLE);
  return 1;
}

static void name_node(ag_script *s, ag_node *n, const char *name, bool scoped) {
  n->name = ag_strdup(s->header->arena, name);
  n->scope = scoped && s->program->nregions > 0 ? s->program->dag.region : -1;
}

/* label(x, name, scoped): a statement of its own for x, and its name in the emitted text; scoped:
 * behind the name of the body that the region is about. Returns x. */
static int l_label(lua_State *L) {
  if (is_node(L, 1)) {
    ag_script *s = ag_script_of(L);
    ag_node *n = &s->program->dag.nodes[ag_to_node(L, 1)];
    if (!n->labelled && n->op != AG_INPUT && n->op != AG_NEG) {
      name_node(s, n, luaL_checkstring(L, 2), lua_toboolean(L, 3));
      n->labelled = true;
    }
  }
  lua_settop(L, 1);
  return 1;
}

/* hint(list, names): what list[k] is called, behind the name of the body that the region is about,
 * where it becomes a statement: names[k]. Which values do become statements does not change. */
static int l_hint(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (s->numeric || !s->program) return 0;
  const int count = (int)luaL_len(L, 2);
  for (int k = 1; k <= count; k++) {
    lua_rawgeti(L, 1, k);
    if (is_node(L, -1)) {
      ag_node *n = &s->program->dag.nodes[ag_to_node(L, -1)];
      lua_rawgeti(L, 2, k);
      if (!n->name && ag_arity(n->op) > 0) name_node(s, n, luaL_checkstring(L, -1), true);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return 0;
}

/* sincos(x): sine and cosine of a constant, the same bits on every machine */
static int l_sincos(lua_State *L) {
  const double x = luaL_checknumber(L, 1);
  if (!(fabs(x) <= AG_ANGLE_DOUBLE))
    return luaL_error(L, "an angle beyond " AG_TEXT_OF(AG_ANGLE_DOUBLE));
  double sine, cosine;
  ag_sincos(x, &sine, &cosine);
  lua_pushnumber(L, sine);
  lua_pushnumber(L, cosine);
  return 2;
}

void ag_open_scalars(lua_State *L) {
  static const luaL_Reg functions[] = {{"sin", l_sin},
                                       {"cos", l_cos},
                                       {"probe", l_probe},
                                       {"lt", l_lt},
                                       {"eq", l_eq},
                                       {"land", l_and},
                                       {"lor", l_or},
                                       {"lnot", l_not},
                                       {"select", l_select},
                                       {"label", l_label},
                                       {"hint", l_hint},
                                       {"sincos", l_sincos},
                                       {"largest_angle", l_largest_angle},
                                       {NULL, NULL}};
  static const luaL_Reg operators[] = {{"__add", l_add}, {"__sub", l_sub}, {"__mul", l_mul},
                                       {"__div", l_div}, {"__unm", l_unm}, {NULL, NULL}};
  luaL_newmetatable(L, node_type);
  luaL_setfuncs(L, operators, 0);
  lua_pop(L, 1);
  luaL_setfuncs(L, functions, 0);
}
