/* SPDX-License-Identifier: MIT */
/* programs.c: see programs.h */
#include "script/programs.h"

#include "base/limits.h"
#include "base/text.h"
#include "graph/functions.h"
#include "graph/magnitude.h"
#include "graph/live.h"
#include "graph/status.h"
#include "script/independent.h"
#include "script/often.h"
#include "script/scalars.h"

#include <achd/mclp.h>
#include <achd/qp.h>
#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* region(title, body, depth, row): what follows belongs to it; body: the link, joint or group that it is about, which names of
 * values begin with; depth 1 (default) is the calling function; row: of a large system, whose text other rows may have. */
static int l_region(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (s->numeric || !s->graph) return 0;
  lua_Debug where;
  memset(&where, 0, sizeof where);
  if (lua_getstack(L, (int)luaL_optinteger(L, 3, 1), &where)) lua_getinfo(L, "Sl", &where);
  char source[LUA_IDSIZE + 16];
  snprintf(source, sizeof source, "%s:%d", where.short_src, where.currentline);
  ag_graph_region(s->header->arena, s->graph, luaL_checkstring(L, 1), source,
                  luaL_optstring(L, 2, NULL), (int)luaL_optinteger(L, 4, 0));
  return 0;
}

/* The field of the table at 1; "" where there is none. It stays as long as the table. */
static const char *text_of(lua_State *L, const char *field) {
  lua_getfield(L, 1, field);
  const char *text = luaL_optstring(L, -1, "");
  lua_pop(L, 1);
  return text;
}

/* Which of the names the field has. */
static int choice_of(lua_State *L, const char *field, const char *const names[]) {
  lua_getfield(L, 1, field);
  const int index = luaL_checkoption(L, -1, NULL, names);
  lua_pop(L, 1);
  return index;
}

/* Adds the quantity that the table at 1 tells of to a list; returns its index there. */
static int declare(lua_State *L, ag_list *list) {
  static const char *names[AG_NSHAPES + 1];
  for (int k = 0; k < AG_NSHAPES; k++) names[k] = ag_shape_names[k];
  ag_script *s = ag_script_of(L);
  const ag_shape shape = (ag_shape)choice_of(L, "shape", names);
  int count = 1;
  if (shape == AG_DERIVATIVE || shape == AG_MATRIX) {
    count = ag_derivative((ag_of)choice_of(L, "of", ag_of_names),
                          (ag_by)choice_of(L, "by", ag_by_names));
  } else {
    lua_getfield(L, 1, "count");
    count = (int)luaL_optinteger(L, -1, 1);
    lua_pop(L, 1);
  }
  const ag_declaration declared = {.name = text_of(L, "name"),
                                   .shape = shape,
                                   .count = count,
                                   .linear_unit = text_of(L, "linear"),
                                   .angular_unit = text_of(L, "angular"),
                                   .doc = text_of(L, "doc")};
  const ag_quantity *q = ag_quantity_add(s->header, list, &declared);
  return (int)(q - list->quantities);
}

/* input{name, shape, linear, angular, doc, count, range, default}: list of scalars. linear, angular:
 * units; range: what its numbers must be, "%s" in it their name; default: their values in the
 * initialiser; one stands for all; nil: 0. */
static int l_input(lua_State *L) {
  ag_script *s = ag_script_of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  ag_list *in = &s->function->in;
  const int index = declare(L, in); /* may move the array */
  ag_quantity *made = &in->quantities[index];
  const char *range = text_of(L, "range");
  made->range = range[0] ? ag_strdup(s->header->arena, range) : NULL;
  if (lua_getfield(L, 1, "default") != LUA_TNIL) {
    double *values = ag_alloc(s->header->arena, (size_t)(made->size + 1) * sizeof *values);
    const int given = (int)luaL_len(L, -1);
    for (int k = 0; k < made->size; k++) {
      lua_rawgeti(L, -1, given == 1 ? 1 : k + 1);
      values[k] = ag_to_number(L, -1).value;
      lua_pop(L, 1);
    }
    made->defaults = values;
  }
  const ag_quantity q = in->quantities[index];
  lua_createtable(L, q.size, 0);
  for (int k = 0; k < q.size; k++) {
    if (s->numeric)
      lua_pushnumber(L, s->in[q.first + k]);
    else
      ag_push_node(L, ag_input(&s->graph->dag, q.first + k));
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* Values of an output on plain numbers, the list at -1: its place is known from the program that was
 * built. */
static int numeric_output(lua_State *L, ag_script *s, const char *name) {
  const ag_quantity *q = ag_quantity_of(&s->built->out, name);
  if (!q || (lua_Integer)luaL_len(L, -1) != q->size)
    return luaL_error(L, "output \"%s\" is not what was built", name);
  for (int k = 0; k < q->size; k++) {
    lua_rawgeti(L, -1, k + 1);
    s->out[q->first + k] = ag_to_number(L, -1).value;
    lua_pop(L, 1);
  }
  return 0;
}

/* output{name, shape, linear, angular, doc, values, count, terms, zeroed}; of a derivative of, by in
 * place of count */
static int l_output(lua_State *L) {
  ag_script *s = ag_script_of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  if (lua_getfield(L, 1, "values") != LUA_TTABLE) return luaL_error(L, "an output without values");
  if (s->numeric) return numeric_output(L, s, text_of(L, "name"));
  const ag_terms terms = (ag_terms)choice_of(L, "terms", ag_terms_names);
  ag_list *out = &s->function->out;
  const ag_quantity *same = ag_quantity_of(out, text_of(L, "name")); /* both ways have it */
  const int index = same ? (int)(same - out->quantities) : declare(L, out);
  lua_getfield(L, 1, "zeroed");
  out->quantities[index].zeroed = lua_toboolean(L, -1);
  lua_pop(L, 1);
  out->quantities[index].terms = terms;
  const ag_quantity q = out->quantities[index];
  if ((lua_Integer)luaL_len(L, 2) != q.size)
    return luaL_error(L, "output \"%s\" has %d values, its shape has %d", q.name,
                      (int)luaL_len(L, 2), q.size);
  for (int k = 0; k < q.size; k++) {
    lua_rawgeti(L, 2, k + 1);
    ag_graph_output(s->header->arena, s->graph, s->way, q.first + k, ag_to_node(L, -1));
    lua_pop(L, 1);
  }
  return 0;
}

/* status(name, condition) */
static int l_status(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const unsigned bit = 1u << luaL_checkoption(L, 1, NULL, ag_status_names);
  if (s->numeric) {
    if (lua_toboolean(L, 2)) s->status |= bit;
    return 0;
  }
  ag_graph_status(s->header->arena, s->graph, s->way, bit, ag_to_node(L, 2));
  return 0;
}

/* fast(condition, when, otherwise): where the condition holds, the results are the outputs and
 * status that follow; comments on both ways. Returns whether these are to be made, and whether the
 * others are: on numbers only one of them. */
static int l_fast(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const bool numeric = s->numeric, holds = numeric && lua_toboolean(L, 1);
  if (!numeric) {
    ag_graph_add_fast_way(s->header->arena, s->graph, ag_to_node(L, 1),
                          lua_isnoneornil(L, 4) ? 0 : ag_to_node(L, 4), luaL_checkstring(L, 2),
                          luaL_checkstring(L, 3));
    s->way = AG_FAST;
  }
  lua_pushboolean(L, !numeric || holds);
  lua_pushboolean(L, !numeric || !holds);
  return 2;
}

/* guard(condition): the fast way is gone where this holds, rather than what was said before */
static int l_guard(lua_State *L) {
  ag_script *s = ag_script_of(L);
  s->graph->guard = ag_to_node(L, 1);
  return 0;
}

/* often(condition, states): the share of random states in which a condition holds */
static int l_often(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const int states = (int)luaL_checkinteger(L, 2);
  lua_pushnumber(L, ag_how_often(s->header, s->graph, ag_to_node(L, 1), states, &s->candidate));
  return 1;
}

/* no_longer(x, square): says that x is a component of a vector whose square is at most `square`, a sum of
 * squares; returns x */
static int l_no_longer(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (!s->numeric)
    ag_graph_no_longer(s->header->arena, s->graph, ag_to_node(L, 1), ag_to_node(L, 2));
  lua_settop(L, 1);
  return 1;
}

/* bound_sizes(holds, results): where a condition holds and the results are not all finite, the size of
 * one of these divisors is not above the number that follows them; nil: that is not certain. */
static int l_bound_sizes(lua_State *L) {
  ag_script *s = ag_script_of(L);
  if (s->numeric) return 0;
  const int n = (int)luaL_len(L, 2);
  ag_id *results = ag_alloc(s->header->arena, (size_t)(n + 1) * sizeof *results);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, 2, i + 1);
    results[i] = ag_to_node(L, -1);
    lua_pop(L, 1);
  }
  ag_divisors divisors;
  if (!ag_bound_sizes(s->graph, ag_to_node(L, 1), results, n, s->header->arena, &divisors))
    return 0;
  lua_createtable(L, divisors.count, 0);
  for (int i = 0; i < divisors.count; i++) {
    ag_push_node(L, divisors.of[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushnumber(L, divisors.least);
  return 2;
}

/* otherwise(): the outputs and status that follow are those of all other states */
static int l_otherwise(lua_State *L) {
  ag_script *s = ag_script_of(L);
  s->way = AG_GENERAL;
  return 0;
}

/* Joints of a chain whose links are told to be alike: what is shorter nearly fits a first-level cache as it is. */
enum { ALIKE = 10 };

void ag_start_program(ag_script *s, const char *function, const char *doc) {
  s->function = ag_function_new(s->header->arena, function, doc);
  s->graph = s->function->graph = ag_graph_new(s->header->arena, s->function);
  s->graph->dag.alike = ag_longest_chain(s->header) >= ALIKE;
  s->way = AG_GENERAL;
  ag_forget_nodes(s->lua);
}

/* program(function, doc, formulation, takes, fills, after): starts a candidate, in the place of the
 * last one. takes, fills: the function whose structs it shares; default: its own; after: the one
 * whose results it takes as well; default: none. */
static int l_program(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_arena_free(&s->candidate);
  s->header->arena = &s->candidate;
  ag_start_program(s, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  s->function->formulation = ag_strdup(&s->candidate, luaL_checkstring(L, 3));
  s->function->takes = ag_strdup(&s->candidate, luaL_optstring(L, 4, s->function->name));
  s->function->fills = ag_strdup(&s->candidate, luaL_optstring(L, 5, s->function->name));
  if (!lua_isnoneornil(L, 6)) s->function->after = ag_strdup(&s->candidate, luaL_checkstring(L, 6));
  return 0;
}

/* attempt(f, ...): calls f(...); false: the candidate becomes too long */
static int l_attempt(lua_State *L) {
  ag_script *s = ag_script_of(L);
  s->too_long = false;
  lua_pushcfunction(L, ag_traceback);
  lua_insert(L, 1);
  const int failed = lua_pcall(L, lua_gettop(L) - 2, 0, 1);
  if (failed && failed != LUA_ERRMEM && !s->too_long) return lua_error(L);
  lua_pushboolean(L, !failed);
  return 1;
}

/* flops(): operations of the candidate: of its fast way where it has one, and at worst */
static int l_flops(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const int own = ag_count(s->graph, AG_GENERAL, &s->candidate);
  lua_pushinteger(L, s->graph->nways > 1 ? ag_count(s->graph, AG_FAST, &s->candidate) : own);
  lua_pushinteger(L, own);
  return 2;
}

/* operations_of(list, ..): operations that the lists' scalars are made of */
static int l_operations_of(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const ag_dag *dag = &s->graph->dag;
  bool *live = ag_alloc(&s->candidate, (size_t)(dag->count + 1) * sizeof *live);
  for (int list = lua_gettop(L); list > 0; list--) {
    for (lua_Integer k = luaL_len(L, list); k > 0; k--) {
      lua_rawgeti(L, list, k);
      if (ag_is_node(L, -1)) live[ag_to_node(L, -1)] = true;
      lua_pop(L, 1);
    }
  }
  lua_pushinteger(L, ag_count_operations(dag, live));
  return 1;
}

/* keep(share): this candidate; share: of random states that its fast way solves, where these were asked */
static int l_keep(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_arena_free(&s->best);
  ag_arena_adopt(&s->best, &s->candidate);
  s->kept = s->function;
  s->kept->general = 1 - luaL_optnumber(L, 1, 1);
  s->graph->dag.arena = s->arena;
  return 0;
}

/* keep_for_lanes(): the candidate gives the results of the one that is kept, with fewer steps that wait for
 * each other: limbs as lanes are made of it. */
static int l_keep_for_lanes(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_arena_adopt(&s->best, &s->candidate);
  s->kept->for_limbs = s->graph;
  s->graph->dag.arena = s->arena;
  return 0;
}

/* counted(recursion, joint, null, early, saved): the operations of each formulation's best; of the last two, of
 * their fast ways; and how many sums of angles save */
static int l_counted(lua_State *L) {
  ag_script *s = ag_script_of(L);
  s->kept->flops_recursion = (int)luaL_checkinteger(L, 1);
  s->kept->flops_joint = (int)luaL_checkinteger(L, 2);
  s->kept->flops_null = (int)luaL_checkinteger(L, 3);
  s->kept->flops_early = (int)luaL_checkinteger(L, 4);
  s->kept->saved_by_sums = (int)luaL_checkinteger(L, 5);
  return 0;
}

/* The limit that field `key` of the table at `index` is; NaN: none. */
static double limit_of(lua_State *L, int index, const char *key) {
  const bool none = lua_getfield(L, index, key) == LUA_TNIL;
  const double value = none ? (double)NAN : luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* The names of a list. */
static const char *const *drivers_of(lua_State *L, int list, int *count) {
  ag_script *s = ag_script_of(L);
  *count = (int)luaL_len(L, list);
  const char **names = ag_alloc(s->arena, (size_t)(*count + 1) * sizeof *names);
  for (int k = 0; k < *count; k++) {
    lua_rawgeti(L, list, k + 1);
    names[k] = ag_strdup(s->arena, luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  return names;
}

/* The numbers of the list "weights" of a row, one for each driver; NULL: it has none. */
static const double *weights_of(lua_State *L, int row, int count) {
  double *list = NULL;
  lua_getfield(L, row, "weights");
  if (lua_istable(L, -1)) {
    list = ag_alloc(ag_script_of(L)->arena, (size_t)(count + 1) * sizeof *list);
    for (int k = 0; k < count; k++) {
      lua_rawgeti(L, -1, k + 1);
      list[k] = luaL_checknumber(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return list;
}

/* header(name, joints, rows, angles, base, by_motors, drivers): joint 0 of an angle is the base's yaw; base: how
 * many velocities the base has */
static int l_header(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_header *h = s->header;
  h->prefix = ag_printf(s->arena, h->target.single ? "%sf" : "%s", luaL_checkstring(L, 1));
  h->upper = ag_upper(s->arena, h->prefix);
  h->njoints = (int)luaL_len(L, 2);
  h->joints = ag_alloc(s->arena, (size_t)(h->njoints + 1) * sizeof *h->joints);
  for (int i = 0; i < h->njoints; i++) {
    lua_rawgeti(L, 2, i + 1);
    const int t = lua_gettop(L);
    const char *ball = ag_field_string(L, t, "ball");
    h->joints[i] = (ag_joint_info){.id = ag_field_string(L, t, "id"),
                                   .name = ag_field_string(L, t, "name"),
                                   .prismatic = ag_field_boolean(L, t, "prismatic"),
                                   .ball = *ball ? ball : NULL,
                                   .axis = (int)ag_field_number(L, t, "axis") - 1,
                                   .parent = (int)ag_field_number(L, t, "parent") - 1,
                                   .lower = limit_of(L, t, "lower"),
                                   .upper = limit_of(L, t, "upper"),
                                   .velocity = limit_of(L, t, "velocity"),
                                   .effort = limit_of(L, t, "effort")};
    lua_pop(L, 1);
  }
  h->nangles = (int)luaL_len(L, 4);
  h->angles = ag_alloc(s->arena, (size_t)(h->nangles + 1) * sizeof *h->angles);
  for (int i = 0; i < h->nangles; i++) {
    lua_rawgeti(L, 4, i + 1);
    const int t = lua_gettop(L);
    const int joint = (int)ag_field_number(L, t, "joint");
    h->angles[i] = (ag_angle){.joint = joint ? joint - 1 : AG_BASE_YAW,
                              .multiplier = ag_field_number(L, t, "multiplier"),
                              .offset = ag_field_number(L, t, "offset")};
    lua_pop(L, 1);
  }
  h->nbase = (int)luaL_checkinteger(L, 5);
  h->by_motors = lua_toboolean(L, 6);
  h->drivers = drivers_of(L, 7, &h->ndrivers);
  h->nrows = (int)luaL_len(L, 3);
  h->rows = ag_alloc(s->arena, (size_t)(h->nrows + 1) * sizeof *h->rows);
  for (int i = 0; i < h->nrows; i++) {
    lua_rawgeti(L, 3, i + 1);
    const int t = lua_gettop(L);
    const char *kind = ag_field_string(L, t, "kind");
    h->rows[i] = (ag_row_info){.group = ag_field_string(L, t, "group"),
                               .name = ag_field_string(L, t, "name"),
                               .kind = strcmp(kind, "free") == 0     ? AG_ROW_FREE
                                       : strcmp(kind, "linear") == 0 ? AG_ROW_LINEAR
                                                                     : AG_ROW_ANGULAR,
                               .joint = (int)ag_field_number(L, t, "joint") - 1,
                               .maskable = ag_field_boolean(L, t, "maskable"),
                               .set_point = ag_field_boolean(L, t, "set_point"),
                               .bounds = ag_field_boolean(L, t, "bounds"),
                               .compliant = ag_field_boolean(L, t, "compliant"),
                               .compliance = ag_field_number(L, t, "compliance"),
                               .weighted = ag_field_boolean(L, t, "weighted"),
                               .weights = weights_of(L, t, h->ndrivers)};
    lua_pop(L, 1);
  }
  return 0;
}

/* optimum(unknowns, rows, levels, rubbing): there is a problem for achd_qp */
static int l_optimum(lua_State *L) {
  ag_script_of(L)->header->optimum = (ag_optimum){.unknowns = (int)luaL_checkinteger(L, 1),
                                                  .rows = (int)luaL_checkinteger(L, 2),
                                                  .levels = (int)luaL_checkinteger(L, 3),
                                                  .rubbing = (int)luaL_checkinteger(L, 4)};
  return 0;
}

/* motors(list, couples): motors that are not joints, {id, slides, velocity, effort}; whether they couple joints */
static int l_motors(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_header *h = s->header;
  luaL_checktype(L, 1, LUA_TTABLE);
  h->nmotors = (int)luaL_len(L, 1);
  h->couples = lua_toboolean(L, 2);
  h->motors = ag_alloc(s->arena, (size_t)(h->nmotors + 1) * sizeof *h->motors);
  for (int i = 0; i < h->nmotors; i++) {
    lua_rawgeti(L, 1, i + 1);
    const int t = lua_gettop(L);
    h->motors[i] = (ag_motor_info){.id = ag_field_string(L, t, "id"),
                                   .slides = ag_field_boolean(L, t, "slides"),
                                   .velocity = limit_of(L, t, "velocity"),
                                   .effort = limit_of(L, t, "effort")};
    lua_pop(L, 1);
  }
  return 0;
}

/* parameters(list, complete): the columns of the regressor, {id, unit, text, value}; whether they are all of the model */
static int l_parameters(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_header *h = s->header;
  luaL_checktype(L, 1, LUA_TTABLE);
  h->nparameters = (int)luaL_len(L, 1);
  h->all_parameters = lua_toboolean(L, 2);
  h->parameters = ag_alloc(s->arena, (size_t)(h->nparameters + 1) * sizeof *h->parameters);
  for (int i = 0; i < h->nparameters; i++) {
    lua_rawgeti(L, 1, i + 1);
    const int t = lua_gettop(L);
    h->parameters[i] = (ag_base_parameter){.id = ag_field_string(L, t, "id"),
                                           .unit = ag_field_string(L, t, "unit"),
                                           .text = ag_field_string(L, t, "text"),
                                           .value = ag_field_number(L, t, "value")};
    lua_pop(L, 1);
  }
  return 0;
}

static int l_remark(lua_State *L) {
  ag_script *s = ag_script_of(L);
  ag_header *h = s->header;
  h->remarks = ag_grow(s->arena, h->remarks, (size_t)h->nremarks * sizeof *h->remarks,
                       (size_t)(h->nremarks + 1) * sizeof *h->remarks);
  h->remarks[h->nremarks++] = (ag_remark){.key = ag_strdup(s->arena, luaL_checkstring(L, 1)),
                                          .text = ag_comment(s->arena, luaL_checkstring(L, 2))};
  return 0;
}

/* mark{kind, link, name, text, axes, to, physical, spatial, yields}: what the layout attaches to a
 * link */
static int l_mark(lua_State *L) {
  static const char *const kinds[] = {"group", "wrench", "joint", "frame", NULL};
  ag_script *s = ag_script_of(L);
  ag_header *h = s->header;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_getfield(L, 1, "kind");
  ag_mark mark = {.kind = (ag_mark_kind)luaL_checkoption(L, -1, NULL, kinds),
                  .text = ag_field_string(L, 1, "text"),
                  .physical = ag_field_boolean(L, 1, "physical"),
                  .spatial = ag_field_boolean(L, 1, "spatial"),
                  .yields = ag_field_boolean(L, 1, "yields")};
  lua_getfield(L, 1, "link");
  mark.link = (int)luaL_checkinteger(L, -1) - 1;
  lua_getfield(L, 1, "to");
  mark.to = (int)luaL_optinteger(L, -1, 0) - 1;
  if (mark.kind <= AG_MARK_WRENCH) mark.name = ag_field_string(L, 1, "name");
  if (mark.kind == AG_MARK_GROUP) mark.axes = ag_field_string(L, 1, "axes");
  h->marks = ag_grow(s->arena, h->marks, (size_t)h->nmarks * sizeof *h->marks,
                     (size_t)(h->nmarks + 1) * sizeof *h->marks);
  h->marks[h->nmarks++] = mark;
  return 0;
}

static void push_names(lua_State *L, const char *const *names) {
  lua_newtable(L);
  for (int k = 0; names[k]; k++) {
    lua_pushstring(L, names[k]);
    lua_rawseti(L, -2, k + 1);
  }
}

static void set_flag(lua_State *L, const char *name, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, name);
}

/* The lines of functions.def: {name, role, rows, partner, derivative, takes, fills, after, script,
 * of_masses, of_accelerations, of_frames, of_ratios}. */
static void push_functions(lua_State *L) {
  static const char *const roles[] = {"solve", "family", "derivatives", "follows"},
                           *const rows[] = {"any", "plain", "bounded", "optimal"};
  lua_newtable(L);
  for (int k = 0; ag_function_table[k].name; k++) {
    const ag_known_function *f = &ag_function_table[k];
    lua_newtable(L);
    ag_set_string(L, "name", f->name);
    ag_set_string(L, "role", roles[f->role]);
    ag_set_string(L, "rows", rows[f->rows]);
    ag_set_string(L, "partner", f->partner);
    ag_set_string(L, "derivative", f->derivative);
    ag_set_string(L, "takes", f->takes);
    ag_set_string(L, "fills", f->fills);
    ag_set_string(L, "after", f->after);
    ag_set_string(L, "script", f->script);
    set_flag(L, "of_masses", f->of & AG_OF_MASSES);
    set_flag(L, "of_accelerations", f->of & AG_OF_ACCELERATIONS);
    set_flag(L, "of_frames", f->of & AG_OF_FRAMES);
    set_flag(L, "of_ratios", f->of & AG_OF_RATIOS);
    lua_rawseti(L, -2, k + 1);
  }
}

/* no_bound(single): what stands for no bound of a row */
static int l_no_bound(lua_State *L) {
  lua_pushnumber(L, lua_toboolean(L, 1) ? ACHD_MCLP_UNBOUNDED_FLOAT : ACHD_MCLP_UNBOUNDED_DOUBLE);
  return 1;
}

void ag_open_programs(lua_State *L) {
  static const luaL_Reg functions[] = {{"region", l_region},
                                       {"input", l_input},
                                       {"output", l_output},
                                       {"status", l_status},
                                       {"program", l_program},
                                       {"attempt", l_attempt},
                                       {"flops", l_flops},
                                       {"operations_of", l_operations_of},
                                       {"keep", l_keep},
                                       {"keep_for_lanes", l_keep_for_lanes},
                                       {"fast", l_fast},
                                       {"guard", l_guard},
                                       {"bound_sizes", l_bound_sizes},
                                       {"no_longer", l_no_longer},
                                       {"often", l_often},
                                       {"otherwise", l_otherwise},
                                       {"seldom", ag_l_seldom},
                                       {"counted", l_counted},
                                       {"header", l_header},
                                       {"remark", l_remark},
                                       {"mark", l_mark},
                                       {"no_bound", l_no_bound},
                                       {"optimum", l_optimum},
                                       {"motors", l_motors},
                                       {"independent", ag_l_independent},
                                       {"parameters", l_parameters},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
  push_names(L, ag_status_names);
  lua_setfield(L, -2, "status_names");
  push_functions(L);
  lua_setfield(L, -2, "functions");
  ag_set_integer(L, "bounded_rows", ACHD_MCLP_ROWS);
  ag_set_integer(L, "optimum_unknowns", ACHD_QP_UNKNOWNS);
  ag_set_integer(L, "optimum_rows", ACHD_QP_ROWS);
  ag_set_integer(L, "optimum_levels", ACHD_QP_LEVELS);
  ag_set_number(L, "largest_inertia", AG_LARGEST_INERTIA);
}
