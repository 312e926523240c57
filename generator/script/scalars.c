/* SPDX-License-Identifier: MIT */
/* scalars.c: see scalars.h */
#include "script/scalars.h"

#include "base/sincos.h"
#include "base/text.h"
#include "graph/finite.h"
#include "script/state.h"

#include <lauxlib.h>
#include <math.h>

enum { MOST_NODES = 400 * 1000 }; /* of a program: more statements are too many for a C compiler */

static const char *const scalar_type = "ag_scalar";

/* Keys of Lua's registry, by their addresses: they are looked up for every scalar, and a name would be hashed each time. */
static const char metatable_key, nodes_key;

/* User data: a node of the candidate, or a constant. */
typedef struct scalar {
  ag_id node; /* -1: the constant */
  ag_number constant;
} scalar;

/* The scripts, which run in a sandbox, have no other user data. */
static scalar *scalar_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? lua_touserdata(L, index) : NULL;
}

/* Gives the user data on top of the stack the operators of scalars. */
static void make_scalar(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_key);
  lua_setmetatable(L, -2);
}

void ag_forget_nodes(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &nodes_key);
}

/* 0, 1 and -1 are Lua numbers: exact in both worlds, whatever is made of them. */
void ag_push_number(lua_State *L, ag_number x) {
  if (ag_number_is(x, 0) || ag_number_is(x, 1) || ag_number_is(x, -1)) {
    lua_pushnumber(L, x.value);
    return;
  }
  scalar *s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = (scalar){-1, x};
  make_scalar(L);
}

/* The constant at `index`; false: it is none. */
static bool constant_at(lua_State *L, int index, ag_number *x) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    *x = ag_number_of(lua_tonumber(L, index));
    return true;
  }
  const scalar *s = scalar_at(L, index);
  if (!s || s->node >= 0) return false;
  *x = s->constant;
  return true;
}

ag_number ag_to_number(lua_State *L, int index) {
  ag_number x = {0};
  if (!constant_at(L, index, &x)) luaL_argerror(L, index, "a number expected");
  return x;
}

void ag_push_node(lua_State *L, ag_id id) {
  ag_script *s = ag_script_of(L);
  const ag_node *n = &s->graph->dag.nodes[id];
  if (s->graph->dag.count > MOST_NODES) {
    s->too_long = true;
    luaL_error(L, "too long");
  }
  if (n->op == AG_CONST) {
    ag_push_number(L, ag_number_from(n->value, n->exact));
    return;
  }
  if (n->op == AG_BOOL) {
    lua_pushboolean(L, n->value != 0);
    return;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &nodes_key);
  if (lua_rawgeti(L, -1, id + 1) == LUA_TNIL) {
    lua_pop(L, 1);
    *(scalar *)lua_newuserdatauv(L, sizeof(scalar), 0) = (scalar){.node = id};
    make_scalar(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, id + 1);
  }
  lua_remove(L, -2);
}

ag_id ag_to_node(lua_State *L, int index) {
  ag_dag *dag = &ag_script_of(L)->graph->dag;
  if (lua_type(L, index) == LUA_TNUMBER) return ag_constant(dag, lua_tonumber(L, index));
  if (lua_type(L, index) == LUA_TBOOLEAN) return ag_bool(dag, lua_toboolean(L, index));
  const scalar *s = scalar_at(L, index);
  if (!s) return luaL_typeerror(L, index, scalar_type);
  return s->node >= 0 ? s->node : ag_exact(dag, s->constant);
}

bool ag_is_node(lua_State *L, int index) {
  const scalar *s = scalar_at(L, index);
  return s && s->node >= 0;
}

typedef ag_id binary(ag_dag *, ag_id, ag_id);

typedef ag_id unary(ag_dag *, ag_id);

typedef ag_number of_numbers(ag_number, ag_number);

static int apply2(lua_State *L, binary *f) {
  ag_dag *dag = &ag_script_of(L)->graph->dag;
  const ag_id a = ag_to_node(L, 1), b = ag_to_node(L, 2);
  ag_push_node(L, f(dag, a, b));
  return 1;
}

static int apply1(lua_State *L, unary *f) {
  ag_push_node(L, f(&ag_script_of(L)->graph->dag, ag_to_node(L, 1)));
  return 1;
}

/* Of two constants at once, which meet no graph. Where the scripts run on plain numbers these are
 * not exact, and what is made of them is plain. */
static int operate(lua_State *L, binary *f, of_numbers *g) {
  ag_number a = {0}, b = {0};
  if (!constant_at(L, 1, &a) || !constant_at(L, 2, &b)) return apply2(L, f);
  const ag_number result = g(a, b);
  if (ag_script_of(L)->numeric && (lua_type(L, 1) == LUA_TNUMBER || lua_type(L, 2) == LUA_TNUMBER))
    lua_pushnumber(L, result.value);
  else
    ag_push_number(L, result);
  return 1;
}

/* The same of values that Lua never sees. */
static scalar combine(ag_dag *dag, scalar a, scalar b, binary *f, of_numbers *g) {
  if (!dag || (a.node < 0 && b.node < 0)) return (scalar){-1, g(a.constant, b.constant)};
  if (a.node < 0) a.node = ag_exact(dag, a.constant);
  if (b.node < 0) b.node = ag_exact(dag, b.constant);
  const ag_id id = f(dag, a.node, b.node);
  return dag->nodes[id].op == AG_CONST ? (scalar){-1, ag_number_at(dag, id)} : (scalar){.node = id};
}

/* Element k of the list at `index`. */
static scalar element(lua_State *L, int index, lua_Integer k) {
  scalar x = {.node = -1};
  lua_rawgeti(L, index, k);
  if (!constant_at(L, -1, &x.constant)) {
    const scalar *s = scalar_at(L, -1);
    if (!s) {
      luaL_typeerror(L, index, scalar_type); /* does not return */
      return x;
    }
    x = *s;
  }
  lua_pop(L, 1);
  return x;
}

/* The same where the scripts run on plain numbers. */
static double plain_dot(lua_State *L, lua_Integer count) {
  double sum = 0;
  for (lua_Integer k = 1; k <= count; k++) {
    double x[2];
    for (int i = 0; i < 2; i++) {
      lua_rawgeti(L, i + 1, k);
      const scalar *s = scalar_at(L, -1);
      x[i] = s ? s->constant.value : luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
    sum += x[0] * x[1];
  }
  return sum;
}

/* dot(a, b): a[1] b[1] + a[2] b[2] + .. of two lists, the second at least as long: what large matrices are
 * multiplied by, without a Lua value for each product and each sum */
static int l_dot(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_dag *dag = s->graph ? &s->graph->dag : NULL;
  const lua_Integer count = luaL_len(L, 1);
  if (s->numeric) {
    lua_pushnumber(L, plain_dot(L, count));
    return 1;
  }
  scalar sum = {.node = -1, .constant = ag_number_of(0)};
  for (lua_Integer k = 1; k <= count; k++) {
    const scalar product = combine(dag, element(L, 1, k), element(L, 2, k), ag_mul, ag_number_mul);
    sum = combine(dag, sum, product, ag_add, ag_number_add);
  }
  if (sum.node >= 0)
    ag_push_node(L, sum.node);
  else
    ag_push_number(L, sum.constant);
  return 1;
}

/* Whether the second operand is of the scripts, which say what is made of it: a vector (spatial.lua), a number with its rate
 * (dual.lua). Leaves the result. */
static bool is_of_scripts(lua_State *L, const char *operation) {
  if (!lua_istable(L, 2) || luaL_getmetafield(L, 2, operation) == LUA_TNIL) return false;
  lua_insert(L, 1);
  lua_call(L, 2, 1);
  return true;
}

static int l_add(lua_State *L) {
  return is_of_scripts(L, "__add") ? 1 : operate(L, ag_add, ag_number_add);
}

static int l_sub(lua_State *L) {
  return is_of_scripts(L, "__sub") ? 1 : operate(L, ag_sub, ag_number_sub);
}

static int l_mul(lua_State *L) {
  return is_of_scripts(L, "__mul") ? 1 : operate(L, ag_mul, ag_number_mul);
}

static int l_unm(lua_State *L) {
  if (ag_is_node(L, 1)) return apply1(L, ag_neg);
  ag_push_number(L, ag_number_neg(ag_to_number(L, 1)));
  return 1;
}

static int l_div(lua_State *L) {
  ag_number divisor = {0};
  if (is_of_scripts(L, "__div")) return 1;
  if (constant_at(L, 2, &divisor) && divisor.value == 0)
    return luaL_error(L, "division by a constant zero");
  return operate(L, ag_div, ag_number_div);
}

/* Constants are in the order of their doubles; equal where they agree in both worlds. */
static int l_less(lua_State *L) {
  lua_pushboolean(L, ag_to_number(L, 1).value < ag_to_number(L, 2).value);
  return 1;
}

static int l_at_most(lua_State *L) {
  lua_pushboolean(L, ag_to_number(L, 1).value <= ag_to_number(L, 2).value);
  return 1;
}

static int l_equal(lua_State *L) {
  ag_number a = {0}, b = {0};
  lua_pushboolean(L, constant_at(L, 1, &a) && constant_at(L, 2, &b) && a.value == b.value &&
                         a.exact == b.exact);
  return 1;
}

/* Functions that work on numbers as on nodes. */
static int l_sin(lua_State *L) {
  if (ag_is_node(L, 1)) return apply1(L, ag_sin);
  lua_pushnumber(L, sin(ag_to_number(L, 1).value));
  return 1;
}

static int l_cos(lua_State *L) {
  if (ag_is_node(L, 1)) return apply1(L, ag_cos);
  lua_pushnumber(L, cos(ag_to_number(L, 1).value));
  return 1;
}

/* any_unfinite(list): is one of these scalars NaN or infinite? */
static int l_any_unfinite(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const int count = (int)luaL_len(L, 1);
  ag_id *nodes = ag_alloc(s->header->arena, ((size_t)count + 1) * sizeof *nodes);
  int nnodes = 0;
  bool any = false;
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, 1, k + 1);
    if (ag_is_node(L, -1))
      nodes[nnodes++] = ag_to_node(L, -1);
    else
      any |= !isfinite(ag_to_number(L, -1).value);
    lua_pop(L, 1);
  }
  if (any || nnodes == 0)
    lua_pushboolean(L, any);
  else
    ag_push_node(L, ag_ask_finite(&s->graph->dag, nodes, nnodes, s->header->arena));
  return 1;
}

/* probe_size(input, exponent): is it NaN, or of size 2^exponent or more? */
static int l_probe_size(lua_State *L) {
  const int exponent = (int)luaL_checkinteger(L, 2);
  ag_script *s = ag_script_of(L);
  if (ag_is_node(L, 1)) {
    const ag_id x = ag_to_node(L, 1);
    luaL_argcheck(L, s->graph->dag.nodes[x].op == AG_INPUT, 1, "input expected");
    ag_push_node(L, ag_probe_size(&s->graph->dag, x, exponent));
  } else {
    lua_pushboolean(L, ag_is_beyond(ag_to_number(L, 1).value, exponent));
  }
  return 1;
}

/* probe_turns(): is one of the sines and cosines that the function is given NaN, or 2 or more in size? */
static int l_probe_turns(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (s->numeric)
    lua_pushboolean(L, false);
  else
    ag_push_node(L, ag_probe_turns(&s->graph->dag));
  return 1;
}

static int l_lt(lua_State *L) {
  if (ag_is_node(L, 1) || ag_is_node(L, 2)) return apply2(L, ag_lt);
  return l_less(L);
}

static int l_eq(lua_State *L) {
  if (ag_is_node(L, 1) || ag_is_node(L, 2)) return apply2(L, ag_eq);
  lua_pushboolean(L, ag_to_number(L, 1).value == ag_to_number(L, 2).value);
  return 1;
}

static int l_and(lua_State *L) {
  if (ag_is_node(L, 1) || ag_is_node(L, 2)) return apply2(L, ag_and);
  lua_pushboolean(L, lua_toboolean(L, 1) && lua_toboolean(L, 2));
  return 1;
}

static int l_or(lua_State *L) {
  if (ag_is_node(L, 1) || ag_is_node(L, 2)) return apply2(L, ag_or);
  lua_pushboolean(L, lua_toboolean(L, 1) || lua_toboolean(L, 2));
  return 1;
}

static int l_not(lua_State *L) {
  if (ag_is_node(L, 1)) return apply1(L, ag_not);
  lua_pushboolean(L, !lua_toboolean(L, 1));
  return 1;
}

static int l_select(lua_State *L) {
  if (!ag_is_node(L, 1)) {
    lua_pushvalue(L, lua_toboolean(L, 1) ? 2 : 3);
    return 1;
  }
  ag_dag *dag = &ag_script_of(L)->graph->dag;
  const ag_id condition = ag_to_node(L, 1), yes = ag_to_node(L, 2), no = ag_to_node(L, 3);
  ag_push_node(L, ag_select(dag, condition, yes, no));
  return 1;
}

/* exact(x): the constant that a Lua number is, of which products stay exact */
static int l_exact(lua_State *L) {
  ag_push_number(L, ag_to_number(L, 1));
  return 1;
}

/* circle(c, s): a rounded cosine and sine as those of one exact angle */
static int l_circle(lua_State *L) {
  ag_number c, s;
  ag_number_circle(luaL_checknumber(L, 1), luaL_checknumber(L, 2), &c, &s);
  ag_push_number(L, c);
  ag_push_number(L, s);
  return 2;
}

/* rounded(value, x): the constant whose double is that of `value` and which stands for x */
static int l_rounded(lua_State *L) {
  ag_push_number(L, ag_number_from(ag_to_number(L, 1).value, ag_to_number(L, 2).exact));
  return 1;
}

/* value(x): the double of a constant */
static int l_value(lua_State *L) {
  lua_pushnumber(L, ag_to_number(L, 1).value);
  return 1;
}

/* is_constant(x) */
static int l_is_constant(lua_State *L) {
  ag_number x = {0};
  lua_pushboolean(L, constant_at(L, 1, &x));
  return 1;
}

/* approximate(x): x stands for a number that no rational function is. Returns x. */
static int l_approximate(lua_State *L) {
  ag_graph *graph = ag_script_of(L)->graph;
  if (ag_is_node(L, 1))
    ag_approximate(&graph->dag, ag_to_node(L, 1));
  else if (graph)
    graph->rooted = true; /* in which constants it ends up is not followed */
  lua_settop(L, 1);
  return 1;
}

/* root(r, x): r approximates the square root of x. Returns r. */
static int l_root(lua_State *L) {
  const ag_script *script = ag_script_of(L);
  if (ag_is_node(L, 1) && ag_is_node(L, 2))
    ag_graph_root(script->header->arena, script->graph, ag_to_node(L, 1), ag_to_node(L, 2));
  lua_settop(L, 1);
  return 1;
}

/* largest_angle(single): that a sine is taken of at run time [rad]; without single: of constants */
static int l_largest_angle(lua_State *L) {
  lua_pushnumber(L, lua_toboolean(L, 1) ? AG_ANGLE_FLOAT : AG_ANGLE_DOUBLE);
  return 1;
}

/* The name of a negated value is that of the value itself, which others ask for. */
static void name_node(ag_script *s, ag_node *n, const char *name, bool scoped) {
  if (n->op == AG_NEG) {
    n = &s->graph->dag.nodes[n->a];
    if (n->name || ag_arity(n->op) == 0) return;
    name = ag_printf(s->header->arena, "minus_%s", name);
  }
  n->name = ag_strdup(s->header->arena, name);
  n->scope = scoped && s->graph->nregions > 0 ? s->graph->dag.region : -1;
}

/* label(x, name, scoped): a statement of its own for x, and its name in the emitted text; scoped:
 * behind the name of the body that the region is about. Returns x. */
static int l_label(lua_State *L) {
  if (ag_is_node(L, 1)) {
    ag_script *s = ag_script_of(L);
    ag_node *n = &s->graph->dag.nodes[ag_to_node(L, 1)];
    if (!n->labelled && n->op != AG_INPUT) {
      name_node(s, n, luaL_checkstring(L, 2), lua_toboolean(L, 3));
      n->labelled = n->op != AG_NEG;
    }
  }
  lua_settop(L, 1);
  return 1;
}

/* hold_sign(x): x; where it is a negated value with its sign in a statement of its own, so that formulas of it are those of any other. */
static int l_hold_sign(lua_State *L) {
  ag_script *s = ag_script_of(L);
  lua_settop(L, 1);
  if (ag_is_node(L, 1) && !s->numeric)
    ag_push_node(L, ag_hold_sign(&s->graph->dag, ag_to_node(L, 1)));
  return 1;
}

/* limit(x, value, name, reason): what the constant `value`, or the same negated, is called in the emitted text where x, or what x is
 * made of near by, compares with it, chooses it or multiplies by it; and why it is that number. Returns x. */
static int l_limit(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (ag_is_node(L, 1) && !ag_is_node(L, 2) && !s->numeric) {
    ag_limit *limit = ag_alloc(s->header->arena, sizeof *limit);
    *limit =
        (ag_limit){ag_strdup(s->header->arena, luaL_checkstring(L, 3)),
                   ag_strdup(s->header->arena, luaL_checkstring(L, 4)), ag_to_number(L, 2).value};
    if (limit->value != 0 && limit->value != 1)
      ag_say_limit(&s->graph->dag, ag_to_node(L, 1), limit);
  }
  lua_settop(L, 1);
  return 1;
}

/* hint(list, names): what list[k] is called, behind the name of the body that the region is about,
 * where it becomes a statement: names[k]. Which values do become statements does not change. */
static int l_hint(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (s->numeric || !s->graph) return 0;
  const int count = (int)luaL_len(L, 2);
  for (int k = 1; k <= count; k++) {
    lua_rawgeti(L, 1, k);
    if (ag_is_node(L, -1)) {
      ag_node *n = &s->graph->dag.nodes[ag_to_node(L, -1)];
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
  const double x = ag_to_number(L, 1).value;
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
                                       {"any_unfinite", l_any_unfinite},
                                       {"probe_size", l_probe_size},
                                       {"probe_turns", l_probe_turns},
                                       {"lt", l_lt},
                                       {"eq", l_eq},
                                       {"land", l_and},
                                       {"lor", l_or},
                                       {"lnot", l_not},
                                       {"select", l_select},
                                       {"label", l_label},
                                       {"hint", l_hint},
                                       {"limit", l_limit},
                                       {"hold_sign", l_hold_sign},
                                       {"sincos", l_sincos},
                                       {"dot", l_dot},
                                       {"exact", l_exact},
                                       {"circle", l_circle},
                                       {"rounded", l_rounded},
                                       {"value", l_value},
                                       {"is_constant", l_is_constant},
                                       {"approximate", l_approximate},
                                       {"root", l_root},
                                       {"largest_angle", l_largest_angle},
                                       {NULL, NULL}};
  static const luaL_Reg operators[] = {{"__add", l_add},    {"__sub", l_sub},  {"__mul", l_mul},
                                       {"__div", l_div},    {"__unm", l_unm},  {"__lt", l_less},
                                       {"__le", l_at_most}, {"__eq", l_equal}, {NULL, NULL}};
  luaL_newmetatable(L, scalar_type);
  luaL_setfuncs(L, operators, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_key);
  luaL_setfuncs(L, functions, 0);
}
