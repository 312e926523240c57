/* script.c: see script.h */
#include "script/script.h"

#include "base/embedded.h"
#include "base/names.h"
#include "program/schedule.h"
#include "base/sincos.h"

#include <assert.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MEMORY_LIMIT = 256 << 20,    /* of all Lua values [bytes] */
  MOST_NODES = 400 * 1000,     /* of a program: more statements are too many for a C compiler */
  LAYOUT_MEMORY = 64 << 20,    /* of a layout's values [bytes] */
  LAYOUT_BLOCK = 17 << 20,     /* of one table [bytes] */
  LAYOUT_TEXT = 1 << 20,       /* of one text [bytes]: no single call on it takes long */
  LAYOUT_STEPS = 20 * 1000000, /* instructions that a layout may take */
  LAYOUT_SECONDS = 2,          /* time that it may take */
  STEPS = 100,                 /* after so many instructions both are looked at */
  INCLUDE_DEPTH = 16
};

/* A line of the layout, or of what it includes. */
typedef struct position {
  int source; /* index */
  int line;   /* 0: not known */
} position;

struct ag_script {
  lua_State *lua;
  const ag_model *model;
  ag_script_options options;
  ag_header *header;
  ag_arena *arena;
  ag_err *err;
  ag_reduced reduced;
  ag_program *program; /* the candidate being built */
  ag_program *kept;    /* the best so far */
  ag_arena candidate;  /* where they live */
  ag_arena best;
  bool too_long; /* the candidate is */
  size_t memory, memory_limit;
  /* a layout that runs */
  bool in_layout;
  int steps;
  clock_t began;
  ag_sources sources;
  int including[INCLUDE_DEPTH]; /* the files that wait for an included one */
  int depth;
  int environment;    /* a reference */
  position failed_at; /* where it was when it failed */
  const char *excess; /* what it takes too much of; NULL: nothing */
  /* a run on plain numbers */
  bool numeric;
  const double *in;
  double *out;
  unsigned status;
};

static const char *const node_type = "ag_node";

static ag_script *script_of(lua_State *L) {
  return *(ag_script **)lua_getextraspace(L);
}

/* Chunks of a layout are named "layout 0", those of what it includes "layout 1" and so on. */
static const char *const chunk_prefix = "layout ";

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
static position current_position(lua_State *L) {
  lua_Debug where;
  memset(&where, 0, sizeof where);
  for (int level = 0; lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sl", &where);
    const char *chunk = where.short_src;
    const int source = named_source(&chunk);
    if (source >= 0) return (position){source, where.currentline};
  }
  return (position){0, 0};
}

static const char *path_of(const ag_script *s, int source) {
  return source < s->sources.count ? s->sources.list[source].file.path : s->options.layout;
}

static void *limited_alloc(void *data, void *old, size_t old_size, size_t new_size) {
  ag_script *s = data;
  const size_t most = !old && old_size == LUA_TSTRING ? LAYOUT_TEXT : LAYOUT_BLOCK;
  if (!old) old_size = 0; /* but the kind of the value that it is for */
  if (new_size == 0) {
    s->memory -= old_size;
    free(old);
    return NULL;
  }
  const size_t more = new_size > old_size ? new_size - old_size : 0;
  if (more > 0 && (s->memory + more > s->memory_limit || (s->in_layout && new_size > most))) {
    if (s->in_layout) s->failed_at = current_position(s->lua);
    return NULL;
  }
  void *bytes = realloc(old, new_size);
  if (bytes) s->memory += new_size - old_size;
  return bytes;
}

/* ---- scalars: Lua numbers are constants, Lua booleans constant conditions, the rest user data
 * that holds a node's id; one user datum per node, so that equality is identity ---- */

static void push_node(lua_State *L, ag_id id) {
  ag_script *s = script_of(L);
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

static ag_id to_node(lua_State *L, int index) {
  ag_dag *dag = &script_of(L)->program->dag;
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
  ag_dag *dag = &script_of(L)->program->dag;
  const ag_id a = to_node(L, 1), b = to_node(L, 2);
  push_node(L, f(dag, a, b));
  return 1;
}
static int apply1(lua_State *L, unary *f) {
  push_node(L, f(&script_of(L)->program->dag, to_node(L, 1)));
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
  lua_pushnumber(L, 0 * luaL_checknumber(L, 1));
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
  ag_dag *dag = &script_of(L)->program->dag;
  const ag_id condition = to_node(L, 1), yes = to_node(L, 2), no = to_node(L, 3);
  push_node(L, ag_select(dag, condition, yes, no));
  return 1;
}

/* label(x, name): the name that x shall have in the emitted text; returns x. */
static int l_label(lua_State *L) {
  if (is_node(L, 1)) {
    ag_script *s = script_of(L);
    ag_node *n = &s->program->dag.nodes[to_node(L, 1)];
    if (!n->name && n->op != AG_INPUT && n->op != AG_NEG)
      n->name = ag_strdup(s->header->arena, luaL_checkstring(L, 2));
  }
  lua_settop(L, 1);
  return 1;
}

/* ---- programs ---- */

/* region(title, depth): what follows belongs to it; depth 1 (default) is the calling function. */
static int l_region(lua_State *L) {
  ag_script *s = script_of(L);
  if (s->numeric || !s->program) return 0;
  lua_Debug where;
  memset(&where, 0, sizeof where);
  if (lua_getstack(L, (int)luaL_optinteger(L, 2, 1), &where)) lua_getinfo(L, "Sl", &where);
  char source[LUA_IDSIZE + 16];
  snprintf(source, sizeof source, "%s:%d", where.short_src, where.currentline);
  ag_program_region(s->header, s->program, luaL_checkstring(L, 1), source);
  return 0;
}

/* input(name, shape, linear unit, angular unit, doc, count): list of scalars */
static int declare(lua_State *L, bool output, int count_index) {
  static const char *names[AG_NSHAPES + 1];
  for (int k = 0; k < AG_NSHAPES; k++) names[k] = ag_shape_names[k];
  ag_script *s = script_of(L);
  const ag_shape shape = (ag_shape)luaL_checkoption(L, 2, NULL, names);
  const ag_quantity *q =
      ag_program_declare(s->header, s->program, output, luaL_checkstring(L, 1), shape,
                         (int)luaL_optinteger(L, count_index, 1), luaL_checkstring(L, 3),
                         luaL_checkstring(L, 4), luaL_checkstring(L, 5));
  return (int)(q - (output ? s->program->out.quantities : s->program->in.quantities));
}

static int l_input(lua_State *L) {
  ag_script *s = script_of(L);
  const int index = declare(L, false, 6); /* may move the array */
  const ag_quantity q = s->program->in.quantities[index];
  lua_createtable(L, q.size, 0);
  for (int k = 0; k < q.size; k++) {
    if (s->numeric)
      lua_pushnumber(L, s->in[q.first + k]);
    else
      push_node(L, s->program->in.elements[q.first + k].node);
    lua_rawseti(L, -2, k + 1);
  }
  return 1;
}

/* output(name, shape, linear unit, angular unit, doc, values, count) */
static int l_output(lua_State *L) {
  ag_script *s = script_of(L);
  luaL_checktype(L, 6, LUA_TTABLE);
  const int index = declare(L, true, 7);
  const ag_quantity q = s->program->out.quantities[index];
  if ((lua_Integer)luaL_len(L, 6) != q.size)
    return luaL_error(L, "output \"%s\" has %d values, its shape has %d", q.name,
                      (int)luaL_len(L, 6), q.size);
  for (int k = 0; k < q.size; k++) {
    lua_rawgeti(L, 6, k + 1);
    if (s->numeric)
      s->out[q.first + k] = luaL_checknumber(L, -1);
    else
      s->program->out.elements[q.first + k].node = to_node(L, -1);
    lua_pop(L, 1);
  }
  return 0;
}

/* status(bit, name, doc, condition) */
static int l_status(lua_State *L) {
  ag_script *s = script_of(L);
  const unsigned bit = (unsigned)luaL_checkinteger(L, 1);
  if (s->numeric) {
    if (lua_toboolean(L, 4)) s->status |= bit;
    return 0;
  }
  ag_program_status(s->header, s->program, bit, luaL_checkstring(L, 2), luaL_checkstring(L, 3),
                    to_node(L, 4));
  return 0;
}

static void new_program(ag_script *s, const char *function, const char *doc) {
  s->program = ag_program_new(s->header->arena, function, doc);
  lua_newtable(s->lua);
  lua_setfield(s->lua, LUA_REGISTRYINDEX, "ag_nodes");
}

/* program(function, doc, formulation, takes, fills): starts a candidate, in the place of the last
 * one. takes, fills: the function whose structs it shares; default: its own. */
static int l_program(lua_State *L) {
  ag_script *s = script_of(L);
  ag_arena_free(&s->candidate);
  s->header->arena = &s->candidate;
  new_program(s, luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  s->program->formulation = ag_strdup(&s->candidate, luaL_checkstring(L, 3));
  s->program->takes = ag_strdup(&s->candidate, luaL_optstring(L, 4, s->program->function));
  s->program->fills = ag_strdup(&s->candidate, luaL_optstring(L, 5, s->program->function));
  return 0;
}

static int traceback(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) luaL_traceback(L, L, lua_tostring(L, 1), 1);
  return 1;
}

/* attempt(f, ...): calls f(...); false: the candidate becomes too long */
static int l_attempt(lua_State *L) {
  ag_script *s = script_of(L);
  s->too_long = false;
  lua_pushcfunction(L, traceback);
  lua_insert(L, 1);
  const int failed = lua_pcall(L, lua_gettop(L) - 2, 0, 1);
  if (failed && failed != LUA_ERRMEM && !s->too_long) return lua_error(L);
  lua_pushboolean(L, !failed);
  return 1;
}

/* flops(): operations of the candidate, scheduled */
static int l_flops(lua_State *L) {
  ag_script *s = script_of(L);
  ag_schedule(s->program, &s->candidate);
  lua_pushinteger(L, ag_flops(&s->program->cost));
  return 1;
}

static int l_keep(lua_State *L) {
  ag_script *s = script_of(L);
  ag_arena_free(&s->best);
  ag_arena_adopt(&s->best, &s->candidate);
  s->kept = s->program;
  s->kept->dag.arena = s->arena;
  return 0;
}

/* counted(recursion, joint): the operations of each formulation's best */
static int l_counted(lua_State *L) {
  ag_script *s = script_of(L);
  s->kept->flops_recursion = (int)luaL_checkinteger(L, 1);
  s->kept->flops_joint = (int)luaL_checkinteger(L, 2);
  return 0;
}

/* ---- the header ---- */

static const char *field_string(lua_State *L, int index, const char *key) {
  ag_script *s = script_of(L);
  lua_getfield(L, index, key);
  const char *text = ag_strdup(s->arena, luaL_checkstring(L, -1));
  lua_pop(L, 1);
  return text;
}

static double field_number(lua_State *L, int index, const char *key) {
  lua_getfield(L, index, key);
  const double value = luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static bool field_boolean(lua_State *L, int index, const char *key) {
  lua_getfield(L, index, key);
  const bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

/* header(name, joints, rows, angles, base): joint 0 of an angle is the base's yaw; base: how many
 * velocities the base has */
static int l_header(lua_State *L) {
  ag_script *s = script_of(L);
  ag_header *h = s->header;
  h->prefix = ag_printf(s->arena, h->single ? "%sf" : "%s", luaL_checkstring(L, 1));
  h->upper = ag_upper(s->arena, h->prefix);
  h->njoints = (int)luaL_len(L, 2);
  h->joints = ag_alloc(s->arena, (size_t)(h->njoints + 1) * sizeof *h->joints);
  for (int i = 0; i < h->njoints; i++) {
    lua_rawgeti(L, 2, i + 1);
    const int t = lua_gettop(L);
    h->joints[i] = (ag_joint_info){.id = field_string(L, t, "id"),
                                   .name = field_string(L, t, "name"),
                                   .prismatic = field_boolean(L, t, "prismatic")};
    lua_pop(L, 1);
  }
  h->nangles = (int)luaL_len(L, 4);
  h->angles = ag_alloc(s->arena, (size_t)(h->nangles + 1) * sizeof *h->angles);
  for (int i = 0; i < h->nangles; i++) {
    lua_rawgeti(L, 4, i + 1);
    const int t = lua_gettop(L);
    const int joint = (int)field_number(L, t, "joint");
    h->angles[i] = (ag_angle){.joint = joint ? joint - 1 : AG_BASE_YAW,
                              .multiplier = field_number(L, t, "multiplier"),
                              .offset = field_number(L, t, "offset")};
    lua_pop(L, 1);
  }
  h->nbase = (int)luaL_checkinteger(L, 5);
  h->nrows = (int)luaL_len(L, 3);
  h->rows = ag_alloc(s->arena, (size_t)(h->nrows + 1) * sizeof *h->rows);
  for (int i = 0; i < h->nrows; i++) {
    lua_rawgeti(L, 3, i + 1);
    const int t = lua_gettop(L);
    const char *kind = field_string(L, t, "kind");
    h->rows[i] = (ag_row_info){.group = field_string(L, t, "group"),
                               .name = field_string(L, t, "name"),
                               .kind = strcmp(kind, "free") == 0     ? AG_ROW_FREE
                                       : strcmp(kind, "linear") == 0 ? AG_ROW_LINEAR
                                                                     : AG_ROW_ANGULAR,
                               .maskable = field_boolean(L, t, "maskable"),
                               .set_point = field_boolean(L, t, "set_point"),
                               .bounds = field_boolean(L, t, "bounds")};
    lua_pop(L, 1);
  }
  return 0;
}

static int l_remark(lua_State *L) {
  ag_script *s = script_of(L);
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
  ag_script *s = script_of(L);
  ag_header *h = s->header;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_getfield(L, 1, "kind");
  ag_mark mark = {.kind = (ag_mark_kind)luaL_checkoption(L, -1, NULL, kinds),
                  .text = field_string(L, 1, "text"),
                  .physical = field_boolean(L, 1, "physical"),
                  .spatial = field_boolean(L, 1, "spatial"),
                  .yields = field_boolean(L, 1, "yields")};
  lua_getfield(L, 1, "link");
  mark.link = (int)luaL_checkinteger(L, -1) - 1;
  lua_getfield(L, 1, "to");
  mark.to = (int)luaL_optinteger(L, -1, 0) - 1;
  if (mark.kind <= AG_MARK_WRENCH) mark.name = field_string(L, 1, "name");
  if (mark.kind == AG_MARK_GROUP) mark.axes = field_string(L, 1, "axes");
  h->marks = ag_grow(s->arena, h->marks, (size_t)h->nmarks * sizeof *h->marks,
                     (size_t)(h->nmarks + 1) * sizeof *h->marks);
  h->marks[h->nmarks++] = mark;
  return 0;
}

/* sincos(x): sine and cosine of a constant, the same bits on every machine */
static int l_sincos(lua_State *L) {
  const double x = luaL_checknumber(L, 1);
  if (!(fabs(x) <= 1e5)) return luaL_error(L, "an angle beyond 1e5");
  double sine, cosine;
  ag_sincos(x, &sine, &cosine);
  lua_pushnumber(L, sine);
  lua_pushnumber(L, cosine);
  return 2;
}

static int l_reserved(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_pushboolean(L, strcmp(ag_identifier(name, script_of(L)->arena), name) != 0);
  return 1;
}

/* near(name, names, otherwise): the advice `did you mean ...?`, or the other */
static int l_near(lua_State *L) {
  ag_script *s = script_of(L);
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

/* ---- errors: the first is recorded, then Lua unwinds ---- */

/* fail(line, source, what, remedy): the layout is to blame, or what it includes */
static int l_fail(lua_State *L) {
  ag_script *s = script_of(L);
  const char *file =
      s->options.layout ? path_of(s, (int)luaL_checkinteger(L, 2) - 1) : s->model->path;
  const int line = s->options.layout ? (int)luaL_checkinteger(L, 1) : 0;
  ag_fail(s->err, file, line, luaL_checkstring(L, 4), "%s", luaL_checkstring(L, 3));
  return lua_error(L);
}

static int l_fail_model(lua_State *L) { /* fail_model(line, what, remedy): the URDF is to blame */
  ag_script *s = script_of(L);
  ag_fail(s->err, s->model->path, (int)luaL_checkinteger(L, 1), luaL_checkstring(L, 3), "%s",
          luaL_checkstring(L, 2));
  return lua_error(L);
}

/* ---- the model, as tables ---- */

static void set_number(lua_State *L, const char *key, double value) {
  if (isnan(value)) return;
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

static void set_string(lua_State *L, const char *key, const char *value) {
  if (!value) return;
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, int value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

static void set_list(lua_State *L, const char *key, const double *values, int count) {
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    lua_pushnumber(L, values[k]);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, key);
}

static void set_pose(lua_State *L, const ag_pose *pose) { /* p and R of the table on top */
  set_list(L, "p", pose->p, 3);
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3; i++) {
    lua_createtable(L, 3, 0);
    for (int j = 0; j < 3; j++) {
      lua_pushnumber(L, pose->R[i][j]);
      lua_rawseti(L, -2, j + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "R");
}

static void set_inertia(lua_State *L, const char *key, const ag_inertia *inertia) {
  lua_newtable(L);
  set_number(L, "m", inertia->m);
  set_list(L, "h", inertia->h, 3);
  set_list(L, "I", inertia->I, 6);
  lua_setfield(L, -2, key);
}

static const char *const joint_types[] = {
    [AG_FIXED] = "fixed",         [AG_REVOLUTE] = "revolute", [AG_CONTINUOUS] = "continuous",
    [AG_PRISMATIC] = "prismatic", [AG_PLANAR] = "planar",     [AG_FLOATING] = "floating",
    [AG_FLOATING + 1] = NULL};

static void push_model(lua_State *L, const ag_model *model) {
  lua_newtable(L);
  set_string(L, "name", model->name);
  set_string(L, "id", model->id);
  lua_createtable(L, model->nlinks, 0);
  for (int k = 0; k < model->nlinks; k++) {
    const ag_link *link = &model->links[k];
    lua_newtable(L);
    set_string(L, "name", link->name);
    set_string(L, "id", link->id);
    set_integer(L, "line", link->line);
    set_integer(L, "parent", link->parent + 1);
    lua_newtable(L);
    set_string(L, "name", link->joint.name);
    set_string(L, "id", link->joint.id);
    set_integer(L, "line", link->joint.line);
    set_string(L, "type", joint_types[link->joint.type]);
    set_number(L, "lower", link->joint.limits.lower);
    set_number(L, "upper", link->joint.limits.upper);
    set_number(L, "velocity", link->joint.limits.velocity);
    set_number(L, "effort", link->joint.limits.effort);
    set_number(L, "damping", link->joint.damping);
    set_number(L, "friction", link->joint.friction);
    if (link->joint.mimic >= 0) {
      set_integer(L, "mimic", link->joint.mimic + 1);
      set_number(L, "multiplier", link->joint.multiplier);
      set_number(L, "offset", link->joint.offset);
    }
    lua_setfield(L, -2, "joint");
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "links");
}

/* reduce{root, base, tips, locked, own_inertia, armature, line}: {bodies, frames, base}, base the
 * inertia of what is rigid with it */
/* The numbers of list `name` of the table at index t. */
static void get_list(lua_State *L, int t, const char *name, double *to, int count) {
  lua_getfield(L, t, name);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(L, -1, k + 1);
    to[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* {m, h, I} */
static ag_inertia inertia_at(lua_State *L, int t) {
  ag_inertia inertia = {.m = field_number(L, t, "m")};
  get_list(L, t, "h", inertia.h, 3);
  get_list(L, t, "I", inertia.I, 6);
  return inertia;
}

static int l_reduce(lua_State *L) {
  ag_script *s = script_of(L);
  const int n = s->model->nlinks;
  int *tips = ag_alloc(s->arena, (size_t)(n + 1) * sizeof *tips);
  double *locked = ag_alloc(s->arena, (size_t)n * sizeof *locked);
  bool *own = ag_alloc(s->arena, (size_t)n * sizeof *own);
  bool *armature = ag_alloc(s->arena, (size_t)n * sizeof *armature);
  bool *carries = ag_alloc(s->arena, (size_t)n * sizeof *carries);
  ag_inertia *payload = ag_alloc(s->arena, (size_t)n * sizeof *payload);
  ag_selection sel = {.locked = locked,
                      .own_inertia = own,
                      .armature = armature,
                      .payload = payload,
                      .carries = carries,
                      .tips = tips};
  lua_getfield(L, 1, "root");
  sel.root = (int)luaL_checkinteger(L, -1) - 1;
  lua_getfield(L, 1, "base");
  sel.base = (ag_joint_type)luaL_checkoption(L, -1, NULL, joint_types);
  lua_getfield(L, 1, "tips");
  for (int k = 0; k < (int)luaL_len(L, -1) && k < n; k++) {
    lua_rawgeti(L, -1, k + 1);
    tips[sel.ntips++] = (int)luaL_checkinteger(L, -1) - 1;
    lua_pop(L, 1);
  }
  for (int k = 0; k < n; k++) {
    lua_getfield(L, 1, "locked");
    locked[k] = lua_rawgeti(L, -1, k + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 2);
    lua_getfield(L, 1, "own_inertia");
    lua_rawgeti(L, -1, k + 1);
    own[k] = lua_toboolean(L, -1);
    lua_pop(L, 2);
    lua_getfield(L, 1, "armature");
    lua_rawgeti(L, -1, k + 1);
    armature[k] = lua_toboolean(L, -1);
    lua_pop(L, 2);
    lua_getfield(L, 1, "carries");
    lua_rawgeti(L, -1, k + 1);
    carries[k] = lua_toboolean(L, -1);
    lua_pop(L, 2);
    lua_getfield(L, 1, "payload");
    if (lua_rawgeti(L, -1, k + 1) == LUA_TTABLE) payload[k] = inertia_at(L, lua_gettop(L));
    lua_pop(L, 2);
  }
  if (!ag_model_reduce(s->model, &sel, s->options.layout ? s->options.layout : s->model->path,
                       &s->reduced, s->arena, s->err)) {
    if (s->options.layout && s->err->line == 0 && strcmp(s->err->file, s->options.layout) == 0) {
      lua_getfield(L, 1, "line");
      lua_call(L, 0, 2);
      s->err->line = (int)lua_tointeger(L, -2);
      snprintf(s->err->file, sizeof s->err->file, "%s", path_of(s, (int)lua_tointeger(L, -1) - 1));
    }
    return luaL_error(L, "reduce");
  }

  lua_newtable(L);
  lua_createtable(L, s->reduced.nbodies, 0);
  for (int i = 0; i < s->reduced.nbodies; i++) {
    const ag_body *b = &s->reduced.bodies[i];
    lua_newtable(L);
    set_integer(L, "link", b->link + 1);
    set_integer(L, "parent", b->parent + 1); /* 0: the base */
    lua_newtable(L);
    set_pose(L, &b->origin);
    lua_setfield(L, -2, "origin");
    set_list(L, "axis", b->axis, 3);
    if (b->mimic >= 0) set_integer(L, "mimic", b->mimic + 1);
    set_inertia(L, "inertia", &b->inertia);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "bodies");
  lua_createtable(L, s->reduced.nframes, 0);
  for (int i = 0; i < s->reduced.nframes; i++) {
    const ag_frame *f = &s->reduced.frames[i];
    lua_newtable(L);
    set_integer(L, "link", f->link + 1);
    set_integer(L, "body", f->body + 1); /* 0: the base */
    set_pose(L, &f->pose);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "frames");
  set_inertia(L, "base", &s->reduced.base);
  return 1;
}

/* ---- modules and the sandbox ---- */

static int l_require(lua_State *L) { /* of the files compiled in; each runs once */
  const char *name = luaL_checkstring(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, "ag_modules");
  if (lua_getfield(L, -1, name) != LUA_TNIL) return 1;
  char file[64], chunk[72];
  snprintf(file, sizeof file, "%s.lua", name);
  snprintf(chunk, sizeof chunk, "=%s", file);
  const ag_file *text = ag_file_find(file);
  if (!text) return luaL_error(L, "no module \"%s\"", name);
  if (luaL_loadbufferx(L, text->text, text->size, chunk, "t") != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
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
  ag_script *s = script_of(L);
  s->steps += STEPS;
  const bool late = clock() - s->began > (clock_t)LAYOUT_SECONDS * CLOCKS_PER_SEC;
  if (s->steps <= LAYOUT_STEPS && !late) return;
  s->excess = late ? "2 seconds" : "20 million instructions";
  luaL_error(L, "too much");
}

/* include(name): what the file returns; it runs each time */
static int l_include(lua_State *L) {
  ag_script *s = script_of(L);
  count_steps(L, NULL); /* reading a file takes as long as many instructions */
  const position at = current_position(L);
  const ag_place from = {path_of(s, at.source), at.line};
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
              "%s includes itself, by way of others or directly", name);
  if (s->depth == INCLUDE_DEPTH)
    ag_fail(s->err, from.file, from.line, "include the files from the layout",
            "files include one another more than %d deep", INCLUDE_DEPTH - 1);
  if (s->err->set) return lua_error(L);
  if (load_source(s, index)) return lua_error(L);
  lua_call(L, 0, 1);
  s->depth--;
  return 1;
}

static void open_state(lua_State *L) {
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
                                       {"region", l_region},
                                       {"input", l_input},
                                       {"output", l_output},
                                       {"status", l_status},
                                       {"program", l_program},
                                       {"flops", l_flops},
                                       {"attempt", l_attempt},
                                       {"keep", l_keep},
                                       {"counted", l_counted},
                                       {"header", l_header},
                                       {"remark", l_remark},
                                       {"mark", l_mark},
                                       {"reserved", l_reserved},
                                       {"near", l_near},
                                       {"fail", l_fail},
                                       {"include", l_include},
                                       {"reduce", l_reduce},
                                       {"sincos", l_sincos},
                                       {"fail_model", l_fail_model},
                                       {NULL, NULL}};
  static const luaL_Reg operators[] = {{"__add", l_add}, {"__sub", l_sub}, {"__mul", l_mul},
                                       {"__div", l_div}, {"__unm", l_unm}, {NULL, NULL}};
  luaL_requiref(L, "_G", luaopen_base, 1);
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_newmetatable(L, node_type);
  luaL_setfuncs(L, operators, 0);
  luaL_newlib(L, functions);
  lua_setglobal(L, "ag");
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "ag_modules");
  lua_pushcfunction(L, l_require);
  lua_setglobal(L, "require");
  lua_settop(L, 0);
}

static int note_line(lua_State *L) { /* an error's handler: before the stack unwinds */
  ag_script *s = script_of(L);
  s->failed_at = current_position(L);
  return 1;
}

/* "layout 0:12: what", "sandbox.lua:30: what": what, and the position where the layout is named. */
static const char *without_place(const char *message, position *at) {
  const char *rest = message;
  const int source = named_source(&rest);
  if (source < 0 && strncmp(message, "sandbox.lua", 11) == 0) rest = message + 11;
  if (*rest != ':') return message;
  char *end;
  const long line = strtol(rest + 1, &end, 10);
  if (strncmp(end, ": ", 2) != 0) return message;
  if (source >= 0) *at = (position){source, (int)line};
  return end + 2;
}

/* Runs the layout in the sandbox (sandbox.lua): what it returns stays on the stack. */
static bool run_layout(ag_script *s) {
  lua_State *L = s->lua;
  lua_getglobal(L, "require");
  lua_pushstring(L, "sandbox");
  lua_call(L, 1, 1);
  const int environment = lua_gettop(L);
  lua_pushvalue(L, environment);
  s->environment = luaL_ref(L, LUA_REGISTRYINDEX);
  /* methods of text are those of the sandbox */
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  const int strings = lua_gettop(L);
  lua_getfield(L, strings, "__index");
  lua_getfield(L, environment, "string");
  lua_setfield(L, strings, "__index");
  lua_pushcfunction(L, note_line);
  const int handler = lua_gettop(L);

  s->memory_limit = s->memory + LAYOUT_MEMORY;
  s->in_layout = true;
  s->began = clock();
  lua_sethook(L, count_steps, LUA_MASKCOUNT, STEPS);
  int failed = load_source(s, 0);
  if (!failed) failed = lua_pcall(L, 0, 1, handler);
  lua_sethook(L, NULL, 0, 0);
  s->in_layout = false;
  s->memory_limit = MEMORY_LIMIT;

  lua_pushvalue(L, handler - 1); /* all methods of text again */
  lua_setfield(L, strings, "__index");
  lua_replace(L, environment);
  lua_settop(L, environment);
  if (!failed) return true;
  if (s->err->set) return false;
  if (failed == LUA_ERRMEM) s->excess = "64 MB of memory, or 1 MB for one text";
  if (s->excess)
    return ag_fail(s->err, path_of(s, s->failed_at.source), s->failed_at.line,
                   "a layout is a short description: return a table",
                   "the layout takes more than %s", s->excess);
  const char *message =
      lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error that is no text was raised";
  position at = s->failed_at;
  message = without_place(message, &at);
  return ag_fail(s->err, path_of(s, at.source), at.line,
                 "correct the Lua there; a layout may use math, string and table", "Lua: %s",
                 message);
}

static void push_sources(ag_script *s) { /* list of {name, text} */
  lua_State *L = s->lua;
  lua_createtable(L, s->sources.count, 0);
  for (int k = 0; k < s->sources.count; k++) {
    const ag_source *source = &s->sources.list[k];
    lua_newtable(L);
    set_string(L, "name", source->file.name);
    lua_pushlstring(L, source->text, source->length);
    lua_setfield(L, -2, "text");
    lua_rawseti(L, -2, k + 1);
  }
}

/* Calls the script's function `name` with nargs arguments from the stack, leaves nresults there; a
 * failure that recorded no error is ours. */
static bool call_main(ag_script *s, const char *name, int nargs, int nresults) {
  lua_State *L = s->lua;
  const int first = lua_gettop(L) - nargs + 1;
  lua_pushcfunction(L, traceback);
  lua_insert(L, first);
  lua_getfield(L, LUA_REGISTRYINDEX, "ag_main");
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_insert(L, first + 1);
  const int failed = lua_pcall(L, nargs, nresults, first);
  if (failed == LUA_ERRMEM)
    ag_fail(s->err, s->model ? s->model->path : s->options.layout, 0,
            "name the tips that you need, lock joints, or ask for less",
            "robot and layout take more than %d MB of memory", MEMORY_LIMIT >> 20);
  if (failed && !s->err->set)
    ag_fail(s->err, s->model ? s->model->path : s->options.layout, 0,
            "this is a defect of achdgen, please report it", "internal: %s",
            lua_tostring(L, -1) ? lua_tostring(L, -1) : "no message");
  if (failed)
    lua_settop(L, first - 1);
  else
    lua_remove(L, first);
  return !failed;
}

/* Numbers of the robot or the layout may grow out of range on the way. */
static bool check_constants(ag_script *s, const ag_program *program) {
  for (int i = 0; i < program->norder; i++) {
    const ag_node *n = &program->dag.nodes[program->order[i]];
    const double value = s->options.single ? (double)(float)n->value : n->value;
    if (n->op == AG_CONST && !isfinite(value))
      return ag_fail(s->err, s->options.layout ? s->options.layout : s->model->path, 0,
                     s->options.single ? "check the exponents, or use --real double"
                                       : "check the exponents in URDF and layout",
                     "a constant of %s becomes %g, which is too large", program->function,
                     n->value);
  }
  return true;
}

/* What is made where nothing is asked for: where the layout bounds no row, and where it does. */
static const char *const plain_functions[] = {"achd"};
static const char *const bounded_functions[] = {"mclp", "apply"};

static bool build(ag_script *s) {
  lua_State *L = s->lua;
  const char *layout = s->options.layout;
  if (layout && !ag_sources_layout(&s->sources, layout, s->arena, s->err)) return false;
  push_model(L, s->model);
  if (layout) {
    if (!run_layout(s)) return false;
  } else {
    lua_newtable(L);
  }
  push_sources(s);
  lua_newtable(L);
  set_string(L, "name", s->options.name);
  set_string(L, "formulation", s->options.formulation);
  lua_pushboolean(L, s->options.single);
  lua_setfield(L, -2, "single");
  lua_pushboolean(L, s->options.regroup);
  lua_setfield(L, -2, "regroup");
  lua_pushboolean(L, s->options.check);
  lua_setfield(L, -2, "check");
  if (!call_main(s, "open", 4, 1)) return false;
  if (!s->options.functions) {
    const bool bounded = lua_toboolean(L, -1);
    s->options.functions = bounded ? bounded_functions : plain_functions;
    s->options.nfunctions = bounded ? 2 : 1;
  }
  lua_pop(L, 1);
  for (int k = 0; k < s->options.nfunctions; k++) {
    s->kept = NULL;
    lua_pushstring(L, s->options.functions[k]);
    const bool built = call_main(s, "build", 1, 0);
    s->header->arena = s->arena;
    ag_arena_adopt(s->arena, &s->best);
    if (!built) return false;
    if (!s->kept)
      return ag_fail(s->err, s->model->path, 0, "this is a defect of achdgen, please report it",
                     "internal: no variant was kept");
    if (!check_constants(s, s->kept)) return false;
    ag_header *h = s->header;
    h->programs = ag_grow(s->arena, h->programs, (size_t)h->nprograms * sizeof *h->programs,
                          (size_t)(h->nprograms + 1) * sizeof *h->programs);
    h->programs[h->nprograms++] = s->kept;
  }
  return true;
}

/* A state with the compiled-in script `module`; its functions are what call_main calls. */
static bool open_script(ag_script *s, const char *module) {
  s->lua = lua_newstate(limited_alloc, s);
  if (!s->lua) return ag_fail(s->err, "", 0, "close other programs", "out of memory");
  *(ag_script **)lua_getextraspace(s->lua) = s;
  open_state(s->lua);
  lua_getglobal(s->lua, "require");
  lua_pushstring(s->lua, module);
  if (lua_pcall(s->lua, 1, 1, 0) != LUA_OK)
    return ag_fail(s->err, "", 0, "this is a defect of achdgen, please report it", "internal: %s",
                   lua_tostring(s->lua, -1));
  lua_setfield(s->lua, LUA_REGISTRYINDEX, "ag_main");
  return true;
}

bool ag_script_build(const ag_model *model, const ag_script_options *options, ag_header *header,
                     ag_script **script, ag_arena *arena, ag_err *err) {
  ag_script *s = ag_alloc(arena, sizeof *s);
  *script = s;
  *s = (ag_script){.model = model,
                   .options = *options,
                   .header = header,
                   .arena = arena,
                   .err = err,
                   .memory_limit = MEMORY_LIMIT};
  *header = (ag_header){.arena = arena, .robot = model->name, .single = options->single};
  return open_script(s, "main") && build(s);
}

const ag_reduced *ag_script_reduced(const ag_script *script) {
  return &script->reduced;
}

bool ag_script_numbers(ag_script *script, int index, const double *in, double *out,
                       unsigned *status, ag_err *err) {
  ag_arena passing = {0}, *lasting = script->arena;
  script->arena = script->header->arena = &passing;
  script->err = err;
  script->numeric = true;
  script->in = in;
  script->out = out;
  script->status = 0;
  new_program(script, "numbers", "");
  lua_pushstring(script->lua, script->header->programs[index]->function);
  const bool ok = call_main(script, "numbers", 1, 0);
  script->numeric = false;
  script->arena = script->header->arena = lasting;
  ag_arena_free(&passing);
  *status = script->status;
  return ok;
}

const ag_sources *ag_script_sources(const ag_script *script) {
  return &script->sources;
}

/* ---- other descriptions than layouts ---- */

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
    v.type = AG_VALUE_NUMBER;
    v.number = lua_tonumber(L, -1);
    return v;
  case LUA_TBOOLEAN:
    v.type = AG_VALUE_TRUTH;
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

static int l_to_value(lua_State *L) { /* protected: what a script gives may be no value */
  ag_value *result = lua_touserdata(L, 2);
  lua_settop(L, 1);
  *result = to_value(script_of(L), NULL);
  return 0;
}

static bool describe(ag_script *s, const char *module, ag_value *result) {
  if (!open_script(s, module) ||
      !ag_sources_layout(&s->sources, s->options.layout, s->arena, s->err) || !run_layout(s))
    return false;
  lua_State *L = s->lua;
  push_sources(s);
  if (!call_main(s, "read", 2, 1)) return false;
  lua_pushcfunction(L, l_to_value);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, result);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return true;
  return ag_fail(s->err, s->options.layout, 0, "this is a defect of achdgen, please report it",
                 "internal: %s", lua_tostring(L, -1));
}

bool ag_script_describe(const char *path, const char *module, ag_value *result, ag_sources *sources,
                        ag_arena *arena, ag_err *err) {
  ag_script s = {
      .options = {.layout = path}, .arena = arena, .err = err, .memory_limit = MEMORY_LIMIT};
  const bool ok = describe(&s, module, result);
  *sources = s.sources;
  ag_script_close(&s);
  return ok;
}

void ag_script_close(ag_script *script) {
  if (script) ag_arena_free(&script->candidate);
  if (script && script->lua) lua_close(script->lua);
  if (script) script->lua = NULL;
}
