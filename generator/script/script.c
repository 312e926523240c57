/* SPDX-License-Identifier: MIT */
/* script.c: see script.h */
#include "script/script.h"

#include "base/embedded.h"
#include "graph/functions.h"
#include "graph/live.h"
#include "script/messages.h"
#include "script/programs.h"
#include "script/robot.h"
#include "script/sandbox.h"
#include "script/scalars.h"
#include "script/tables.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <string.h>
#include <stdio.h>

static int l_require(lua_State *L) { /* of the files compiled in; each runs once */
  const char *name = luaL_checkstring(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, "ag_modules");
  if (lua_getfield(L, -1, name) != LUA_TNIL) return 1;
  char file[64], chunk[72];
  snprintf(file, sizeof file, "%s.lua", name);
  snprintf(chunk, sizeof chunk, "=%s", file);
  const ag_file *text = ag_file_find(file);
  if (!text) return luaL_error(L, "no module \"%s\"", name);
  const bool compiled = text->compiled && strcmp(ag_compiled_by, lua_ident) == 0;
  const int failed = compiled ? luaL_loadbufferx(L, text->compiled, text->compiled_size, chunk, "b")
                              : luaL_loadbufferx(L, text->text, text->size, chunk, "t");
  if (failed) return lua_error(L);
  lua_call(L, 0, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

static void open_state(lua_State *L) {
  luaL_requiref(L, "_G", luaopen_base, 1);
  luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
  lua_newtable(L);
  ag_open_scalars(L);
  ag_open_programs(L);
  ag_open_robot(L);
  ag_open_sandbox(L);
  ag_open_messages(L);
  lua_setglobal(L, "ag");
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "ag_modules");
  lua_pushcfunction(L, l_require);
  lua_setglobal(L, "require");
  lua_settop(L, 0);
}

/* Calls the script's function `name` with nargs arguments from the stack, leaves nresults there; a
 * failure that recorded no error is ours. */
static bool call_main(ag_script *s, const char *name, int nargs, int nresults) {
  lua_State *L = s->lua;
  const int first = lua_gettop(L) - nargs + 1;
  lua_pushcfunction(L, ag_traceback);
  lua_insert(L, first);
  lua_getfield(L, LUA_REGISTRYINDEX, "ag_main");
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_insert(L, first + 1);
  const int failed = lua_pcall(L, nargs, nresults, first);
  if (failed == LUA_ERRMEM)
    ag_fail(s->err, s->model ? s->model->path : s->options.layout, 0,
            "name the tips that you need, lock joints, or ask for less",
            "robot and layout take more than %d MB of memory", AG_MEMORY_LIMIT >> 20);
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

/* The same of the scripts that make functions: what they know of the header goes before. */
static bool call_with_context(ag_script *s, const char *name, int nargs, int nresults) {
  lua_getfield(s->lua, LUA_REGISTRYINDEX, "ag_context");
  lua_insert(s->lua, -1 - nargs);
  return call_main(s, name, nargs + 1, nresults);
}

/* Numbers of the robot or the layout may grow out of range on the way. */
static bool check_constants(ag_script *s, const ag_graph *graph) {
  for (const ag_way *way = graph->ways; way < graph->ways + graph->nways; way++)
    for (int i = 0; i < way->nnodes; i++) {
      const ag_node *n = &graph->dag.nodes[way->nodes[i]];
      const double value = s->options.target.single ? (double)(float)n->value : n->value;
      if (n->op == AG_CONST && !isfinite(value))
        return ag_fail(s->err, s->options.layout ? s->options.layout : s->model->path, 0,
                       s->options.target.single ? "check the exponents, or use --real double"
                                                : "check the exponents in URDF and layout",
                       "a constant of %s becomes %g, which is too large", graph->function->name,
                       n->value);
    }
  return true;
}

/* What is looked at where the default functions cannot be made. */
static const char *const kinematic_functions[] = {"fk", "fvk", "jac"};

/* The functions that robot and layout allow, as the scripts say. */
static bool find_all_functions(ag_script *s) {
  if (!call_with_context(s, "all_functions", 0, 1)) return false;
  const int count = (int)luaL_len(s->lua, -1);
  const char **list = ag_alloc(s->arena, (size_t)(count + 1) * sizeof *list);
  for (int k = 0; k < count; k++) {
    lua_rawgeti(s->lua, -1, k + 1);
    list[k] = ag_strdup(s->arena, lua_tostring(s->lua, -1));
    lua_pop(s->lua, 1);
  }
  lua_pop(s->lua, 1);
  s->options.functions = list;
  s->options.nfunctions = count;
  return true;
}

static void take_default_functions(ag_script *s) {
  const ag_header *h = s->header;
  const char **list = ag_alloc(s->arena, 2 * sizeof *list);
  const ag_rows_kind rows = h->optimum.unknowns > 0 ? AG_OPTIMAL_ROWS
                            : h->bounded            ? AG_BOUNDED_ROWS
                                                    : AG_PLAIN_ROWS;
  s->options.nfunctions = ag_default_functions(rows, list);
  s->options.functions = list;
}

/* Whether limbs will be lanes of vectors, which gain from fewer steps that wait for each other. */
static bool wants_shorter(const ag_target *target) {
  return target->limbs && !target->small && !target->batch;
}

/* What the scripts get beside the robot, the layout and its sources: a table. */
static void push_options(ag_script *s) {
  const ag_script_options *o = &s->options;
  const struct {
    const char *name;
    bool value;
  } flags[] = {{"single", o->target.single},
               {"one_way", o->one_way},
               {"lanes", wants_shorter(&o->target)},
               {"look", o->look},
               {"regroup", o->regroup},
               {"casadi", o->casadi},
               {"check", o->check}};
  lua_newtable(s->lua);
  ag_set_string(s->lua, "name", o->name);
  ag_set_string(s->lua, "formulation", o->formulation);
  if (o->threshold > 0) {
    lua_pushnumber(s->lua, o->threshold);
    lua_setfield(s->lua, -2, "threshold");
  }
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
    lua_pushboolean(s->lua, flags[k].value);
    lua_setfield(s->lua, -2, flags[k].name);
  }
}

/* Reads robot and layout: the context that the functions are built in. */
static bool open_context(ag_script *s) {
  lua_State *L = s->lua;
  const char *layout = s->options.layout;
  if (layout && s->options.layout_text)
    ag_sources_text(&s->sources, layout, s->options.layout_text, s->arena);
  else if (layout && !ag_sources_layout(&s->sources, layout, s->arena, s->err))
    return false;
  ag_push_model(L, s->model);
  if (layout) {
    if (!ag_run_layout(s)) return false;
  } else {
    lua_newtable(L);
  }
  ag_push_sources(s);
  push_options(s);
  if (!call_main(s, "open", 4, 2)) return false;
  s->header->bounded = lua_toboolean(L, -1);
  lua_pop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "ag_context");
  return true;
}

/* Runs the script of a function; s->kept is the variant of it that is best. */
static bool build_function(ag_script *s, const char *name) {
  s->kept = NULL;
  lua_pushstring(s->lua, name);
  const bool built = call_with_context(s, "build", 1, 0);
  s->header->arena = s->arena;
  ag_arena_adopt(s->arena, &s->best);
  return built;
}

/* Adds the function that was built to the header. */
static bool keep_function(ag_script *s) {
  ag_header *h = s->header;
  if (!s->kept)
    return ag_fail(s->err, s->model->path, 0, "this is a defect of achdgen, please report it",
                   "internal: no variant was kept");
  ag_graph_complete(s->kept->graph, s->arena);
  if (s->kept->for_limbs) ag_graph_complete(s->kept->for_limbs, s->arena);
  if (!check_constants(s, s->kept->graph)) return false;
  h->functions = ag_room(s->arena, h->functions, h->nfunctions, sizeof *h->functions);
  h->functions[h->nfunctions++] = s->kept;
  return true;
}

/* Looks at the kinematics in place of function `name`, and notes why at no more. */
static void fall_back_to_kinematics(ag_script *s, const char *name) {
  ag_note_add(&s->reduced.warnings, &s->reduced.nwarnings, s->arena, s->err->line,
              "%s is not possible: %s; %s", name, s->err->what, s->err->remedy);
  *s->err = (ag_err){.set = false};
  s->options.functions = kinematic_functions;
  s->options.nfunctions = 3;
}

static bool build(ag_script *s) {
  if (!open_context(s)) return false;
  if (s->options.all_functions && !find_all_functions(s)) return false;
  bool usual = !s->options.functions; /* no functions are named */
  if (usual) take_default_functions(s);
  for (int k = 0; k < s->options.nfunctions; k++) {
    const char *name = s->options.functions[k];
    const bool built = build_function(s, name);
    if (!built && usual && s->options.look && s->err->set) {
      fall_back_to_kinematics(s, name);
      usual = false;
      k = -1; /* from the first on */
      continue;
    }
    if (!built || !keep_function(s)) return false;
  }
  return true;
}

/* A state with the compiled-in script `module`; its functions are what call_main calls. */
static bool open_script(ag_script *s, const char *module) {
  s->lua = lua_newstate(ag_limited_alloc, s);
  if (!s->lua) return ag_fail(s->err, "", 0, "close other programs", "out of memory");
  *(ag_script **)lua_getextraspace(s->lua) = s;
  lua_gc(s->lua, LUA_GCINC, 400, 0, 0); /* matrices of derivatives stay: look for garbage seldom */
  open_state(s->lua);
  lua_getglobal(s->lua, "require");
  lua_pushstring(s->lua, module);
  if (lua_pcall(s->lua, 1, 1, 0) != LUA_OK)
    return ag_fail(s->err, "", 0, "this is a defect of achdgen, please report it", "internal: %s",
                   lua_tostring(s->lua, -1));
  lua_setfield(s->lua, LUA_REGISTRYINDEX, "ag_main");
  return true;
}

static void copy_model(ag_script *s) {
  const size_t size = (size_t)s->model->nlinks * sizeof *s->own.links;
  s->own = *s->model;
  s->own.links = ag_alloc(s->arena, size);
  memcpy(s->own.links, s->model->links, size);
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
                   .memory_limit = AG_MEMORY_LIMIT};
  *header = (ag_header){.arena = arena, .robot = model->name, .target = options->target};
  copy_model(s);
  return open_script(s, "main") && build(s);
}

bool ag_script_first(const ag_model *model, const char *what, const char **text, ag_arena *arena,
                     ag_err *err) {
  ag_script s = {.model = model, .arena = arena, .err = err, .memory_limit = AG_MEMORY_LIMIT};
  ag_header header = {.arena = arena, .robot = model->name};
  s.header = &header;
  copy_model(&s);
  bool ok = open_script(&s, strcmp(what, "layout") == 0 ? "first_layout" : "first_loop");
  if (ok) {
    ag_push_model(s.lua, model);
    lua_pushstring(s.lua, model->path);
    lua_pushstring(s.lua, what);
    ok = call_main(&s, "text", 3, 1);
  }
  if (ok) *text = ag_strdup(arena, lua_tostring(s.lua, -1));
  ag_script_close(&s);
  return ok;
}

const ag_model *ag_script_model(const ag_script *script) {
  return &script->own;
}

const ag_reduced *ag_script_reduced(const ag_script *script) {
  return &script->reduced;
}

bool ag_script_numbers(ag_script *script, int index, const double *in, double *out,
                       unsigned *status, ag_err *err) {
  ag_arena temporary = {0}, *lasting = script->arena;
  script->arena = script->header->arena = &temporary;
  script->err = err;
  script->numeric = true;
  script->built = script->header->functions[index];
  script->in = in;
  script->out = out;
  script->status = 0;
  ag_start_program(script, "numbers", "");
  lua_pushstring(script->lua, script->header->functions[index]->name);
  const bool ok = call_with_context(script, "numbers", 1, 0);
  script->numeric = false;
  script->arena = script->header->arena = lasting;
  ag_arena_free(&temporary);
  *status = script->status;
  return ok;
}

/* The value that the script's function left on the stack. */
static bool take_value(ag_script *s, ag_value *result, const char *path) {
  lua_State *L = s->lua;
  lua_pushcfunction(L, ag_take_value);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, result);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK) return true;
  return ag_fail(s->err, path, 0, "this is a defect of achdgen, please report it", "internal: %s",
                 lua_tostring(L, -1));
}

bool ag_script_problem(ag_script *script, int index, ag_value *problem, ag_err *err) {
  script->err = err;
  lua_pushstring(script->lua, script->header->functions[index]->name);
  return call_with_context(script, "problem", 1, 1) &&
         take_value(script, problem, script->model->path);
}

const ag_sources *ag_script_sources(const ag_script *script) {
  return &script->sources;
}

bool ag_script_physics(ag_script *script, ag_value *result, ag_err *err) {
  script->err = err;
  return call_with_context(script, "physics", 0, 1) &&
         take_value(script, result, script->model->path);
}

bool ag_script_loop(ag_script *script, ag_value *result, ag_err *err) {
  script->err = err;
  return call_with_context(script, "loop", 0, 1) && take_value(script, result, script->model->path);
}

/* What a description says, on the stack: what it returns, or its text where it is no Lua. */
static bool push_description(ag_script *s, const char *module) {
  if (!ag_sources_layout(&s->sources, s->options.layout, s->arena, s->err)) return false;
  if (strcmp(module, "fsm") != 0) return ag_run_layout(s);
  lua_pushlstring(s->lua, s->sources.list[0].text, s->sources.list[0].length);
  return true;
}

static bool describe(ag_script *s, const char *module, ag_value *result) {
  if (!open_script(s, module) || !push_description(s, module)) return false;
  ag_push_sources(s);
  if (s->model)
    ag_push_model(s->lua, s->model);
  else
    lua_pushnil(s->lua);
  if (!call_main(s, "read", 3, 1)) return false;
  return take_value(s, result, s->options.layout);
}

bool ag_script_describe(const ag_told *told, ag_value *result, ag_sources *sources, ag_arena *arena,
                        ag_err *err) {
  ag_script s = {.model = told->model,
                 .options = {.layout = told->path},
                 .arena = arena,
                 .err = err,
                 .memory_limit = AG_MEMORY_LIMIT};
  const bool ok = describe(&s, told->module, result);
  *sources = s.sources;
  ag_script_close(&s);
  return ok;
}

void ag_script_close(ag_script *script) {
  if (script) ag_arena_free(&script->candidate);
  if (script && script->lua) lua_close(script->lua);
  if (script) ag_pool_close(&script->pool);
  if (script) script->lua = NULL;
}
