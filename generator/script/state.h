/* SPDX-License-Identifier: MIT */
/* state.h: what the files of script/ share: the state of a run, and fields of Lua's tables. */
#ifndef AG_STATE_H
#define AG_STATE_H

#include "base/inputs.h"
#include "script/pool.h"
#include "script/request.h"

#include <lua.h>
#include <time.h>

enum {
  AG_MEMORY_LIMIT = 256 << 20, /* of all Lua values [bytes] */
  AG_INCLUDE_DEPTH = 16
};

/* A line of the layout, or of what it includes. */
typedef struct ag_position {
  int source; /* index */
  int line;   /* 0: not known */
} ag_position;

struct ag_script {
  lua_State *lua;
  const ag_model *model; /* as the URDF has it */
  ag_model own;          /* a copy: with the inertials and limits of the layout */
  ag_script_options options;
  ag_header *header;
  ag_arena *arena;
  ag_err *err;
  ag_reduced reduced;
  ag_function *function; /* that is being built, .. */
  ag_graph *graph;       /* .. and the candidate for its graph */
  int way;               /* of the candidate: what outputs and status belong to */
  ag_function *kept;     /* the best so far */
  ag_arena candidate;    /* where they live */
  ag_arena best;
  bool too_long; /* the candidate is */
  size_t memory, memory_limit;
  ag_pool pool; /* of Lua's small values */
  /* a layout that runs */
  bool in_layout;
  int steps;
  clock_t began;
  ag_sources sources;
  int including[AG_INCLUDE_DEPTH]; /* the files that wait for an included one */
  int depth;
  int environment;       /* a reference */
  ag_position failed_at; /* where it was when it failed */
  const char *excess;    /* what it takes too much of; NULL: nothing */
  /* a run on plain numbers */
  bool numeric;
  const ag_function *built; /* the same function */
  const double *in;
  double *out;
  unsigned status;
};

/* The run that a Lua state belongs to. */
ag_script *ag_script_of(lua_State *L);
/* The path of a source; of one that is not read yet the layout's. */
const char *ag_source_path(const ag_script *script, int source);
/* An error's handler: adds where the scripts were. */
int ag_traceback(lua_State *L);

/* Set a field of the table on top of the stack. No field for a NaN or NULL. */
void ag_set_number(lua_State *L, const char *key, double value);
void ag_set_string(lua_State *L, const char *key, const char *value);
void ag_set_integer(lua_State *L, const char *key, int value);

/* A field of the table at `index`; a Lua error where it has another type. */
const char *ag_field_string(lua_State *L, int index, const char *key);
double ag_field_number(lua_State *L, int index, const char *key);
bool ag_field_boolean(lua_State *L, int index, const char *key);

#endif
