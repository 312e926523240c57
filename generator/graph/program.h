/* program.h: what a header is made of: functions over named quantities, each a scalar DAG. */
#ifndef AG_PROGRAM_H
#define AG_PROGRAM_H

#include "graph/dag.h"
#include "graph/quantity.h"

#include <stdint.h>

typedef struct ag_status_bit {
  unsigned bit; /* status.h */
  ag_id node;   /* boolean */
} ag_status_bit;

typedef struct ag_region {
  const char *title;  /* "outward: joint_2 -> half_arm_1_link" */
  const char *source; /* "motion.lua:41" */
  const char *body;   /* the link, joint or group that it is about, for names; NULL: none */
} ag_region;

/* Operations of the arithmetic; comparisons, probes and status apart. */
typedef struct ag_cost {
  int add, mul, div, neg; /* add: additions and subtractions */
  int trig;               /* sines and cosines */
  int select, compare;
  int probe; /* finite tests */
  int live;  /* most values alive at a time */
} ag_cost;

/* Nodes of a way's order that a C function of its own computes. */
typedef struct ag_part {
  bool fast; /* of the null-space solve, and what comes before both */
  int first, behind;
} ag_part;

/* Where what a part makes waits for later parts, for the results or for the status. */
typedef struct ag_waiting {
  int *place;  /* by node: among the reals or booleans that wait; -1: it does not wait there */
  int *output; /* by node: the element of the output that it is, and waits in; -1: it does not */
  int *
      stored; /* by element: the node of the order behind which the output is stored; -1: at the end */
} ag_waiting;

/* How a program is cut into parts (split.h). */
typedef struct ag_split {
  ag_part *parts; /* those of the guard, then of the null-space solve, then of the program itself */
  int nparts;
  ag_waiting own, fast;  /* what the guard is made of is the same in both */
  int nreals, nbooleans; /* places */
  int live, names; /* of a part at most: values alive at a time; statements, and values of others */
} ag_split;

struct ag_program {
  const char *function; /* "achd" */
  const char *takes,
      *fills;        /* whose structs it takes and fills: the function's own, or another's */
  const char *after; /* the function whose results it takes as well; NULL: none. Its inputs are then
                        those of `takes`, which it does not read, results named after that function
                        ("mclp.r"), and numbers by row; and it has no twin that takes sines */
  const char *doc;   /* lines of its comment */
  const char *formulation;
  int flops_recursion, flops_joint, flops_null; /* of each formulation's best; 0: not tried */
  int saved_by_sums; /* operations, of the angles of joints with parallel axes; 0: none, or not counted */
  /* A shorter way for most states. NULL: one way for all. Where `guard` (boolean) holds, the results
   * are those of `fast`, which shares the graph, the inputs and the regions, and has outputs,
   * status, order and cost of its own; else this program's. Both orders begin with the same nguard
   * nodes, which the guard is made of or both ways need, and both costs count these. when, otherwise: comments on the
   * two ways. */
  ag_program *fast;
  const char *when, *otherwise;
  ag_id guard;
  int nguard;
  /* A condition that the guard begins with, cheap beside the rest of it: where it does not hold, the rest
   * need not be known. 0: none. */
  ag_id first;
  const bool *
      inside; /* by node of the guard: known only where `first` holds; NULL: all are always known */
  const bool *carried; /* by node: of these, what the other way asks for where `first` holds */
  ag_dag dag;
  ag_list in, out;
  ag_status_bit *status;
  ag_region *regions;
  int nstatus, nregions;
  ag_id *order; /* live nodes in order of evaluation (schedule.h) */
  int norder;
  const struct ag_program
      *vectors; /* the same in the order for vectors (ag_schedule_vectors); NULL: none */
  const bool
      *early; /* by node: comes before the choice between the two ways; NULL: there is one way */
  bool *statement; /* by node: computed by a statement of its own; else in the text of its users */
  int part;        /* it is cut into parts of so many operations at most; 0: it is one function */
  bool small;      /* its statements are ordered for the shortest code */
  bool rooted;     /* a square root of constants, which is approximated, is among its constants */
  const ag_split *split; /* NULL: it is one function */
  ag_cost cost;
  ag_program *for_lanes;      /* the same results by fewer steps that wait for each other, for its
                                 lanes; NULL: they are made of this one */
  ag_program *lanes;          /* the same with limbs as lanes (limbs/vectorize.h); NULL: none */
  const unsigned char *width; /* of such a program, by node: lanes of its value */
  int chain; /* of such a program: cycles of its longest chain of steps that wait for each other, about */
  struct ag_steps *
      steps; /* of such a program, for the shortest code: cut for functions of a limb (limbs/outlining.h); NULL: not */
  const struct ag_limbs *limbs; /* the sets of limbs in its lanes (limbs/limbs.h) */
  struct ag_length { /* the square of a vector with this component is at most this sum of squares */
    ag_id component, square;
  } * lengths;
  int nlimbs, nlengths;
};

/* Where it is cut for functions of a limb (limbs/outlining.h). */
typedef struct ag_steps {
  ag_program *program; /* its vectors are what limbs compute; sums over lanes are sums of numbers */
  /* By node: even: of the trunk, odd: of limbs; of a vector that joins numbers, the first that asks for it. */
  int *stage;
  int last; /* the last stage, of the trunk */
  int kept; /* bytes of the structs that wait between stages (emit/limb_functions.c) */
} ag_steps;

/* A program on its own: the caller adds it to header->programs. */
ag_program *ag_program_new(ag_arena *arena, const char *function, const char *doc);

/* Declares an input, whose elements get their nodes at once, or an output, whose elements the
 * caller sets. */
ag_quantity *ag_program_declare(ag_header *header, ag_program *program, bool output,
                                const char *name, ag_shape shape, int count,
                                const char *linear_unit, const char *angular_unit, const char *doc);

/* Adds a condition under which the function sets a status bit. */
void ag_program_status(ag_header *header, ag_program *program, unsigned bit, ag_id condition);
/* Gives the program a null-space solve where `guard` holds, whose outputs and status are still to be
 * declared: returns it. first: what it begins with, or 0; when, otherwise: comments on the two ways. */
ag_program *ag_program_add_fast(ag_arena *arena, ag_program *program, ag_id guard, ag_id first,
                                const char *when, const char *otherwise);
/* Says that `component` is one of a vector whose square is at most `square`, a sum of squares. */
void ag_program_no_longer(ag_arena *arena, ag_program *program, ag_id component, ag_id square);
/* Begins a region: a step of the algorithm, for comments; source: the script's name and line. */
void ag_program_region(ag_header *header, ag_program *program, const char *title,
                       const char *source, const char *body);

/* Has any function a quantity of this shape? */
bool ag_uses_shape(const ag_header *header, ag_shape shape);
/* Whether quantities of this shape are arrays with a place for every row, though not every row may
 * have an element. */
bool ag_by_row(ag_shape shape);
/* The units of a quantity's elements, in their order; where joints or rows have several, the numbers of those that
 * have each: "m/s^2: rows 0 to 2; rad/s^2: rows 3 to 5". "1" where there is none. */
const char *ag_units(const ag_header *header, const ag_list *list, const ag_quantity *q);
/* Whether quantity i stands in a struct inside that an earlier one has opened. */
bool ag_stands_earlier(const ag_list *list, int i);
/* Whether an input, named "mclp.r", is a result of the function `after`, "mclp". */
bool ag_is_result_of(const char *after, const char *name);
/* Where each element of a list stands in its struct, counted in reals; behind the last, how many
 * reals the struct has. */
const int *ag_places(const ag_header *header, const ag_list *list);

/* Whether an output's element is one of a derivative, and zero whatever comes in. */
bool ag_always_zero(const ag_program *program, int element);

/* "1100 add, 1300 mul, ..." */
char *ag_cost_text(const ag_header *header, const ag_program *program);

/* Where a function's code is probably longer than the smallest first-level caches of instructions in use on
 * processors of PCs: how long, as a sentence. NULL: it is not. An estimate by operations, of gcc -O2 for x86-64. */
char *ag_text_warning(const ag_header *header, const ag_program *program);

/* The same estimate of one node: bytes of code. */
int ag_text_bytes_of(const ag_node *node);

#endif
