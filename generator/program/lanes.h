/* lanes.h: limbs of equal shape in the lanes of vectors: a program made of another one, which computes
 * what limbs have in common once, with vectors that have a lane for each of them.
 *
 * Of nodes it has two kinds more (dag.h): AG_JOIN makes a vector of numbers, AG_TAKE takes a number
 * out of one. Sums, products, quotients and signs of vectors go lane by lane; a number beside a vector
 * counts in every lane. Every lane does the operations of the program that it was made of, signs
 * apart, which go with constants; ag_shorten_chains then adds in another order. */
#ifndef AG_LANES_H
#define AG_LANES_H

#include "base/err.h"
#include "program/program.h"

/* The program with limbs as lanes, scheduled; NULL: the robot has no such limbs, or nothing would be
 * gained. */
ag_program *ag_pack_lanes(const ag_header *header, const ag_program *program);

/* Gives every function that gains by it a program with limbs as lanes. Fails where none does; urdf: the
 * file to blame. small: they are to be cut into functions of limbs. */
bool ag_pack_functions(ag_header *header, bool small, const char *urdf, ag_err *err);

/* The node that a pass has made, or makes now, of one of the program that it reads. */
typedef ag_id ag_maker(void *pass, ag_id id);

/* Gives `to`, a copy of `from` but for its graph, which a pass makes: results and status of both
 * solves, the guard between them, lanes, and the order of statements. */
void ag_make_results(const ag_program *from, ag_program *to, ag_maker *make, void *pass,
                     ag_arena *arena);

/* Such a program whose sums over the lanes of a vector are made two vectors at a time, scheduled.
 * single: of floats. */
ag_program *ag_sum_across(ag_program *lanes, bool single, ag_arena *arena);

/* Such a program with shorter chains of operations that wait for each other, scheduled. */
ag_program *ag_shorten_chains(const ag_program *lanes, ag_arena *arena);

/* Gives such programs of a header shorter questions whether all that came in and goes out is finite. */
void ag_ask_less(ag_header *header);

/* Gives such programs of a header results in the order of the arrays that they go to, two or four of them a vector. */
void ag_pair_stores(ag_header *header);

/* Such a program with each lane computed by itself: of numbers alone again, for those who judge it. */
ag_program *ag_unpack_lanes(const ag_program *lanes, ag_arena *arena);

/* How often each node of such a program is used, of both ways, by id: once for each operand, output
 * and status bit; 0: nothing needs it. */
int *ag_lane_uses(const ag_program *lanes, ag_arena *arena);

/* Lanes of a node's value; 1: a number. By id, of all nodes. */
const unsigned char *ag_lane_counts(const ag_dag *dag, ag_arena *arena);

#endif
