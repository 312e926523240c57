/* pivots.c: see pivots.h */
#include "prove/pivots.h"

#include <math.h>
#include <string.h>

ag_number ag_smaller_pivot(ag_number a, ag_number b, bool *close) {
  if (a.exact != b.exact && fabs(a.value - b.value) < 1e-9) *close = true;
  return a.value < b.value ? a : b;
}

/* J of the equations: of a body that is held whole, the motion of its point at another body's origin,
 * along that one's axes; of the others, the rows'. */
static ag_number *jacobian(const ag_robot *r, const ag_demand *rows, int *count) {
  const ag_value *bodies = ag_value_list(r->problem->equations, "bodies"),
                 *others = ag_value_list(r->problem->equations, "rows");
  const size_t n = (size_t)r->n;
  *count = 6 * bodies->length + others->length;
  ag_number *J = ag_alloc(r->arena, (size_t)(*count + 1) * (n + 1) * sizeof *J);
  for (int k = 0; k < bodies->length; k++) {
    const int tool = ag_value_integer(&bodies->items[k], "tool");
    const ag_exact_pose *seen_from = &r->place[ag_value_integer(&bodies->items[k], "middle")];
    const ag_mat across = ag_mat_transpose(seen_from->R);
    for (int c = 0; c < r->n; c++) {
      const ag_motion m = ag_robot_partial(r, tool, seen_from->p, c);
      const ag_vec lin = ag_mat_vec(across, m.lin), ang = ag_mat_vec(across, m.ang);
      for (int i = 0; i < 3; i++) {
        J[(size_t)(6 * k + i) * n + (size_t)c] = lin.x[i];
        J[(size_t)(6 * k + 3 + i) * n + (size_t)c] = ang.x[i];
      }
    }
  }
  for (int k = 0; k < others->length; k++)
    memcpy(&J[(size_t)(6 * bodies->length + k) * n], rows[(int)others->items[k].number - 1].J,
           n * sizeof *J);
  return J;
}

/* Equations without those of the steps, and joints without theirs, whose columns become zero. */
static void eliminate(const ag_robot *r, ag_number *J, int count) {
  const ag_value *steps = ag_value_list(r->problem->equations, "steps");
  for (int s = 0; s < steps->length; s++) {
    const int row = ag_value_integer(&steps->items[s], "equation") - 1,
              column = ag_value_integer(&steps->items[s], "joint") - 1;
    const ag_number pivot = J[row * r->n + column];
    for (int i = 0; i < count; i++) {
      const ag_number factor = ag_number_div(J[i * r->n + column], pivot);
      for (int c = 0; i != row && c < r->n; c++)
        J[i * r->n + c] = ag_number_sub(J[i * r->n + c], ag_number_mul(factor, J[row * r->n + c]));
    }
    for (int c = 0; c < r->n; c++) J[row * r->n + c] = ag_zero;
    for (int i = 0; i < count; i++) J[i * r->n + column] = ag_zero;
  }
}

/* Row a of a block. */
static const ag_number *row_of(const ag_robot *r, const ag_number *B, const ag_value *block,
                               int a) {
  return &B[(size_t)(ag_value_integer(&block->items[a], "equation") - 1) * (size_t)r->n];
}

/* What the square of an equation counts as at least: a number, or of a row along a direction given at
 * run time floor (reach^2 lin^2 + ang^2). */
static ag_number least_square(const ag_robot *r, const ag_demand *rows, const ag_value *item) {
  if (ag_value_item(item, "least")) return ag_value_exact(item, "least");
  const ag_value *equations = r->problem->equations, *bodies = ag_value_list(equations, "bodies"),
                 *others = ag_value_list(equations, "rows");
  const int other = ag_value_integer(item, "equation") - 1 - 6 * bodies->length;
  const ag_demand *row = &rows[(int)others->items[other].number - 1];
  const ag_number reach = ag_value_exact(equations, "reach"), lin = ag_dot(row->lin, row->lin);
  return ag_number_mul(
      ag_value_exact(equations, "floor"),
      ag_number_add(ag_number_mul(ag_number_mul(reach, reach), lin), ag_dot(row->ang, row->ang)));
}

/* Relative pivots of a block's rows: those of their Gram matrix, B B^T = l diag(d) l^T. */
static void block_pivots(const ag_robot *r, const ag_demand *rows, const ag_number *B,
                         const ag_value *block, ag_number *least, bool *close) {
  const int m = block->length;
  ag_number *G = ag_alloc(r->arena, (size_t)(m * m + 1) * sizeof *G);
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++)
      ag_dense_times(row_of(r, B, block, a), 1, r->n, row_of(r, B, block, b), &G[a * m + b]);
  for (int a = 0; a < m; a++) {
    const ag_number floor = least_square(r, rows, &block->items[a]);
    const ag_number *row = row_of(r, B, block, a), d = G[a * m + a];
    ag_number whole;
    ag_dense_times(row, 1, r->n, row, &whole);
    *close = *close || fabs(whole.value - floor.value) < 1e-9 * floor.value;
    const ag_number relative = ag_number_div(d, whole.value > floor.value ? whole : floor);
    *least = ag_smaller_pivot(relative, *least, close);
    for (int b = a + 1; b < m; b++) {
      const ag_number factor = ag_number_div(G[b * m + a], d);
      for (int c = a; c < m; c++)
        G[b * m + c] = ag_number_sub(G[b * m + c], ag_number_mul(factor, G[a * m + c]));
    }
  }
}

ag_number ag_least_pivot_of_equations(const ag_robot *r, const ag_demand *rows, bool *close) {
  const ag_value *blocks = ag_value_list(r->problem->equations, "blocks");
  int count;
  ag_number *J = jacobian(r, rows, &count), least = ag_one;
  eliminate(r, J, count);
  for (int k = 0; k < blocks->length; k++)
    block_pivots(r, rows, J, &blocks->items[k], &least, close);
  return least;
}
