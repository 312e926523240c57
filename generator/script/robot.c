/* SPDX-License-Identifier: MIT */
/* robot.c: see robot.h */
#include "script/robot.h"

#include "model/document.h"
#include "model/inertial.h"
#include "model/reduce.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
  ag_set_number(L, "m", inertia->m);
  set_list(L, "h", inertia->h, 3);
  set_list(L, "I", inertia->I, 6);
  lua_setfield(L, -2, key);
}

static void push_ties(lua_State *L, const ag_model *model) { /* of the table on top */
  lua_createtable(L, model->nties, 0);
  for (int k = 0; k < model->nties; k++) {
    const ag_tie *tie = &model->ties[k];
    lua_newtable(L);
    ag_set_string(L, "id", tie->id);
    ag_set_integer(L, "line", tie->line);
    ag_set_integer(L, "frame", tie->frame + 1);
    ag_set_integer(L, "to", tie->to + 1);
    ag_set_string(L, "kind", tie->turns ? "connect" : "weld");
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "ties");
}

static void push_gear_ends(lua_State *L, const char *key, const ag_urdf_gear_end *ends, int count) {
  lua_createtable(L, count, 0);
  for (int k = 0; k < count; k++) {
    lua_newtable(L);
    if (ends[k].name) ag_set_string(L, "name", ends[k].name);
    if (ends[k].role) ag_set_string(L, "role", ends[k].role);
    if (ends[k].reduction) ag_set_string(L, "reduction", ends[k].reduction);
    ag_set_integer(L, "line", ends[k].line);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, key);
}

static void push_gears(lua_State *L, const ag_model *model) { /* of the table on top */
  lua_createtable(L, model->ngears, 0);
  for (int k = 0; k < model->ngears; k++) {
    const ag_urdf_gear *gear = &model->gears[k];
    lua_newtable(L);
    if (gear->name) ag_set_string(L, "name", gear->name);
    if (gear->type) ag_set_string(L, "type", gear->type);
    ag_set_integer(L, "line", gear->line);
    push_gear_ends(L, "joints", gear->joints, gear->njoints);
    push_gear_ends(L, "actuators", gear->actuators, gear->nactuators);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "gears");
}

static void push_motors(lua_State *L, const ag_model *model) { /* of the table on top */
  lua_createtable(L, model->nmotors, 0);
  for (int k = 0; k < model->nmotors; k++) {
    const ag_urdf_motor *motor = &model->motors[k];
    lua_newtable(L);
    ag_set_string(L, "name", motor->name);
    ag_set_string(L, "what", motor->what);
    ag_set_integer(L, "line", motor->line);
    if (motor->fault) ag_set_string(L, "fault", motor->fault);
    set_list(L, "ratios", motor->ratios, motor->count);
    lua_createtable(L, motor->count, 0);
    for (int i = 0; i < motor->count; i++) {
      lua_pushstring(L, motor->joints[i]);
      lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "joints");
    if (!isinf(motor->effort)) ag_set_number(L, "effort", motor->effort);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "motors");
}

void ag_push_model(lua_State *L, const ag_model *model) {
  lua_newtable(L);
  ag_set_string(L, "name", model->name);
  ag_set_string(L, "id", model->id);
  lua_createtable(L, model->nlinks, 0);
  for (int k = 0; k < model->nlinks; k++) {
    const ag_link *link = &model->links[k];
    lua_newtable(L);
    ag_set_string(L, "name", link->name);
    ag_set_string(L, "id", link->id);
    ag_set_integer(L, "line", link->line);
    ag_set_integer(L, "parent", link->parent + 1);
    if (link->is_tie_end) ag_set_string(L, "is_tie_end", "true");
    ag_set_number(L, "mass", link->inertia.m);
    set_list(L, "com", link->com, 3);
    set_list(L, "central", link->central, 6);
    lua_newtable(L);
    ag_set_string(L, "name", link->joint.name);
    ag_set_string(L, "id", link->joint.id);
    ag_set_integer(L, "line", link->joint.line);
    ag_set_string(L, "type", ag_joint_type_names[link->joint.type]);
    ag_set_number(L, "lower", link->joint.limits.lower);
    ag_set_number(L, "upper", link->joint.limits.upper);
    ag_set_number(L, "velocity", link->joint.limits.velocity);
    ag_set_number(L, "effort", link->joint.limits.effort);
    ag_set_number(L, "armature", link->joint.armature);
    ag_set_number(L, "damping", link->joint.damping);
    ag_set_number(L, "friction", link->joint.friction);
    if (link->joint.ball > 0) {
      ag_set_integer(L, "ball", link->joint.ball);
      ag_set_string(L, "ball_name", link->joint.ball_name);
      ag_set_string(L, "ball_id", link->joint.ball_id);
    }
    if (link->joint.mimic >= 0) {
      ag_set_integer(L, "mimic", link->joint.mimic + 1);
      ag_set_number(L, "multiplier", link->joint.multiplier);
      ag_set_number(L, "offset", link->joint.offset);
    }
    lua_setfield(L, -2, "joint");
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "links");
  push_ties(L, model);
  push_gears(L, model);
  push_motors(L, model);
}

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
  ag_inertia inertia = {.m = ag_field_number(L, t, "m")};
  get_list(L, t, "h", inertia.h, 3);
  get_list(L, t, "I", inertia.I, 6);
  return inertia;
}

static void set_fault(lua_State *L, const char *key, const ag_fault *fault) {
  if (!fault->what) return;
  lua_newtable(L);
  ag_set_integer(L, "line", fault->line);
  ag_set_string(L, "what", fault->what);
  ag_set_string(L, "remedy", fault->remedy);
  lua_setfield(L, -2, key);
}

/* The numbers of field `key` of the table at 2; false: it has no such field. */
static bool field_list(lua_State *L, const char *key, double *values, int count) {
  const bool there = lua_getfield(L, 2, key) == LUA_TTABLE;
  for (int k = 0; there && k < count; k++) {
    lua_rawgeti(L, -1, k + 1);
    values[k] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return there;
}

/* The number that field `key` of the table at 2 is; NaN: it has no such field. */
static double field_number(lua_State *L, const char *key) {
  lua_getfield(L, 2, key);
  const double value = lua_isnil(L, -1) ? (double)NAN : luaL_checknumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* inertial(link, {mass, com, inertia}): what is wrong with them, or nothing */
static int l_inertial(lua_State *L) {
  ag_script *s = ag_script_of(L);
  double com[3], inertia[6];
  ag_link *link = &s->own.links[luaL_checkinteger(L, 1) - 1];
  const bool has_com = field_list(L, "com", com, 3);
  const bool has_inertia = field_list(L, "inertia", inertia, 6);
  lua_pushstring(L, ag_link_set_inertial(link, field_number(L, "mass"), has_com ? com : NULL,
                                         has_inertia ? inertia : NULL, s->arena));
  return 1;
}

/* limits(link, {lower, upper, velocity, effort}): of the joint that carries it; what is missing is
 * none */
static int l_limits(lua_State *L) {
  ag_link *link = &ag_script_of(L)->own.links[luaL_checkinteger(L, 1) - 1];
  link->joint.limits = (ag_limits){.lower = field_number(L, "lower"),
                                   .upper = field_number(L, "upper"),
                                   .velocity = field_number(L, "velocity"),
                                   .effort = field_number(L, "effort")};
  return 0;
}

/* Pushes element k of the list `name` of the selection at 1, nil where there is no such list; 2 values. */
static int push_element(lua_State *L, const char *name, int k) {
  if (lua_getfield(L, 1, name) == LUA_TTABLE) return lua_rawgeti(L, -1, k + 1);
  lua_pushnil(L);
  return LUA_TNIL;
}

static bool flag_at(lua_State *L, const char *name, int k) {
  (void)push_element(L, name, k);
  const bool set = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return set;
}

/* The selection at 1, of a robot of n links. */
static ag_selection selection_of(lua_State *L, ag_arena *arena, int n) {
  int *tips = ag_alloc(arena, (size_t)(n + 1) * sizeof *tips);
  double *locked = ag_alloc(arena, (size_t)n * sizeof *locked);
  bool *own = ag_alloc(arena, (size_t)n * sizeof *own);
  bool *armature = ag_alloc(arena, (size_t)n * sizeof *armature);
  bool *carries = ag_alloc(arena, (size_t)n * sizeof *carries);
  ag_inertia *payload = ag_alloc(arena, (size_t)n * sizeof *payload);
  ag_selection sel = {.locked = locked,
                      .own_inertia = own,
                      .armature = armature,
                      .payload = payload,
                      .carries = carries,
                      .tips = tips};
  lua_getfield(L, 1, "root");
  sel.root = (int)luaL_checkinteger(L, -1) - 1;
  lua_getfield(L, 1, "base");
  sel.base = (ag_joint_type)luaL_checkoption(L, -1, NULL, ag_joint_type_names);
  lua_getfield(L, 1, "tips");
  for (int k = 0; k < (int)luaL_len(L, -1) && k < n; k++) {
    lua_rawgeti(L, -1, k + 1);
    tips[sel.ntips++] = (int)luaL_checkinteger(L, -1) - 1;
    lua_pop(L, 1);
  }
  for (int k = 0; k < n; k++) {
    locked[k] = push_element(L, "locked", k) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    lua_pop(L, 2);
    own[k] = flag_at(L, "own_inertia", k);
    armature[k] = flag_at(L, "armature", k);
    carries[k] = flag_at(L, "carries", k); /* loads are a layout's */
    if (push_element(L, "payload", k) == LUA_TTABLE) payload[k] = inertia_at(L, lua_gettop(L));
    lua_pop(L, 2);
  }
  return sel;
}

static void push_bodies(lua_State *L, const ag_reduced *reduced) {
  lua_createtable(L, reduced->nbodies, 0);
  for (int i = 0; i < reduced->nbodies; i++) {
    const ag_body *b = &reduced->bodies[i];
    lua_newtable(L);
    ag_set_integer(L, "link", b->link + 1);
    ag_set_integer(L, "parent", b->parent + 1); /* 0: the base */
    lua_newtable(L);
    set_pose(L, &b->origin);
    lua_setfield(L, -2, "origin");
    set_list(L, "axis", b->axis, 3);
    if (b->mimic >= 0) ag_set_integer(L, "mimic", b->mimic + 1);
    set_inertia(L, "inertia", &b->inertia);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_frames(lua_State *L, const ag_reduced *reduced) {
  lua_createtable(L, reduced->nframes, 0);
  for (int i = 0; i < reduced->nframes; i++) {
    const ag_frame *f = &reduced->frames[i];
    lua_newtable(L);
    ag_set_integer(L, "link", f->link + 1);
    ag_set_integer(L, "body", f->body + 1); /* 0: the base */
    set_pose(L, &f->pose);
    lua_rawseti(L, -2, i + 1);
  }
}

/* reduce{root, base, tips, locked, own_inertia, carries, payload, armature, line}: {bodies, frames,
 * base, inertia_fault, pivot_fault}, base the inertia of what is rigid with it */
static int l_reduce(lua_State *L) {
  ag_script *s = ag_script_of(L);
  const ag_selection sel = selection_of(L, s->arena, s->own.nlinks);
  if (!ag_model_reduce(&s->own, &sel, s->options.layout ? s->options.layout : s->model->path,
                       &s->reduced, s->arena, s->err)) {
    if (s->options.layout && s->err->line == 0 && strcmp(s->err->file, s->options.layout) == 0) {
      lua_getfield(L, 1, "line");
      lua_call(L, 0, 2);
      s->err->line = (int)lua_tointeger(L, -2);
      snprintf(s->err->file, sizeof s->err->file, "%s",
               ag_source_path(s, (int)lua_tointeger(L, -1) - 1));
    }
    return luaL_error(L, "reduce");
  }

  lua_newtable(L);
  push_bodies(L, &s->reduced);
  lua_setfield(L, -2, "bodies");
  push_frames(L, &s->reduced);
  lua_setfield(L, -2, "frames");
  set_inertia(L, "base", &s->reduced.base);
  set_fault(L, "inertia_fault", &s->reduced.inertia_fault);
  set_fault(L, "pivot_fault", &s->reduced.pivot_fault);
  return 1;
}

void ag_open_robot(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"reduce", l_reduce}, {"inertial", l_inertial}, {"limits", l_limits}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
