/* SPDX-License-Identifier: MIT */
/* products.c: see products.h */
#include "lower/products.h"

#include "graph/live.h"

/* Rows and columns from which on one text is shorter than those of the columns. */
enum { LEAST_ROWS = 4, LEAST_COLUMNS = 4 };

ag_cost ag_cost_of_products(const ag_products *products) {
  ag_cost cost = {0};
  for (int k = 0; products && k < products->count; k++) {
    const int n = products->of[k].n;
    cost.add += n * (n - 1);
    cost.mul += n * n;
  }
  return cost;
}

bool ag_same_product(const ag_product *a, const ag_product *b) {
  return a->n == b->n && a->across == b->across && a->down == b->down;
}

/* A number that is a node or the same turned around. */
typedef struct signed_node {
  ag_id id;
  bool minus;
} signed_node;

static signed_node sign_apart(const ag_dag *dag, ag_id id) {
  const ag_id number = ag_without_sign(dag, id);
  return (signed_node){number, number != id};
}

/* How many elements of a matrix stand in a row. */
static int columns_of(const ag_list *out, const ag_quantity *q) {
  const ag_element *e = &out->elements[q->first];
  int count = 1;
  while (count < q->size && e[count].path.index[0].at == e->path.index[0].at) count++;
  return count;
}

/* How many rows from the `first` one on of a matrix with n columns are a symmetric matrix without constants. */
static int symmetric_rows(const ag_graph *graph, const ag_id *matrix, int n, int first) {
  for (int i = first; i < n; i++)
    for (int k = first; k <= i; k++) {
      const ag_id id = matrix[i * n + k];
      if (id != matrix[k * n + i] || graph->dag.nodes[id].op == AG_CONST) return i - first;
    }
  return n - first;
}

/* Takes a term off a sum, a product of the node `factor` with *other; last: the sum is that product. Returns whether it has such a term. */
static bool take_term(const ag_dag *dag, signed_node *sum, ag_id factor, bool last,
                      signed_node *other) {
  signed_node term = *sum, rest = *sum;
  const ag_node *n = &dag->nodes[sum->id];
  for (int side = 0; side < (last ? 1 : 2); side++) {
    if (!last) {
      if (n->op != AG_ADD && n->op != AG_SUB) return false;
      const bool less = n->op == AG_SUB;
      term = (signed_node){side ? n->a : n->b, sum->minus != (less && !side)};
      rest = (signed_node){side ? n->b : n->a, sum->minus != (less && side)};
    }
    const ag_node *product = &dag->nodes[term.id];
    if (product->op != AG_MUL || (product->a != factor && product->b != factor)) continue;
    *other = (signed_node){product->a == factor ? product->b : product->a, term.minus};
    *sum = rest;
    return true;
  }
  return false;
}

/* The column x of which these results are the matrix times x, summed up from its first element on. */
static bool find_column(const ag_graph *graph, const ag_product *p, signed_node *x) {
  const ag_dag *dag = &graph->dag;
  const ag_id *out = graph->ways[AG_GENERAL].outputs;
  for (int i = 0; i < p->n; i++) {
    signed_node sum = sign_apart(dag, out[p->column + i * p->down]);
    for (int k = p->n - 1; k >= 0; k--) {
      const signed_node factor = sign_apart(dag, out[p->matrix + i * p->across + k]);
      signed_node other;
      if (!take_term(dag, &sum, factor.id, k == 0, &other)) return false;
      other.minus ^= factor.minus;
      if (i > 0 && (x[k].id != other.id || x[k].minus != other.minus)) return false;
      x[k] = other;
    }
  }
  return true;
}

/* Products with rows and columns of a matrix, and their columns. */
typedef struct finder {
  const ag_graph *graph;
  ag_product matrix;
  int row;               /* its first one */
  ag_products *products; /* found */
  signed_node **columns; /* of each */
  ag_arena *arena;
} finder;

static void add_product(finder *f, const ag_product *p, signed_node *x) {
  ag_products *all = f->products;
  f->columns = ag_room(f->arena, f->columns, all->count, sizeof *f->columns);
  f->columns[all->count] = x;
  all->of = ag_room(f->arena, all->of, all->count, sizeof *all->of);
  all->of[all->count++] = *p;
}

/* Adds the columns of a quantity that are products. */
static void take_columns(finder *f, const ag_quantity *q) {
  const int columns = columns_of(&f->graph->function->out, q);
  const int n = f->matrix.n;
  signed_node *x = ag_alloc(f->arena, (size_t)(columns * n + 1) * sizeof *x);
  bool *found = ag_alloc(f->arena, (size_t)(columns + 1) * sizeof *found);
  int count = 0;
  ag_product p = f->matrix;
  p.down = columns;
  for (int c = 0; c < columns; c++) {
    p.column = q->first + f->row * columns + c;
    found[c] = find_column(f->graph, &p, &x[(ptrdiff_t)c * n]);
    count += found[c];
  }
  for (int c = 0; c < columns && count >= LEAST_COLUMNS; c++) {
    p.column = q->first + f->row * columns + c;
    if (found[c]) add_product(f, &p, &x[(ptrdiff_t)c * n]);
  }
}

/* The products with a matrix among the outputs. */
static void find_products(finder *f, const ag_quantity *matrix) {
  const ag_list *out = &f->graph->function->out;
  const int n = columns_of(out, matrix);
  const ag_id *at = &f->graph->ways[AG_GENERAL].outputs[matrix->first];
  int rows;
  for (f->row = 0; f->row<n; f->row += rows> 0 ? rows : 1) {
    rows = symmetric_rows(f->graph, at, n, f->row);
    if (rows < LEAST_ROWS) continue;
    f->matrix = (ag_product){.n = rows, .matrix = matrix->first + f->row * (n + 1), .across = n};
    for (int k = 0; k < out->nquantities; k++) {
      const ag_quantity *q = &out->quantities[k];
      if (q != matrix && q->shape == AG_DERIVATIVE && q->size % n == 0 &&
          columns_of(out, q) == q->size / n)
        take_columns(f, q);
    }
  }
}

static void find_all(finder *f) {
  const ag_graph *graph = f->graph;
  const ag_list *out = &graph->function->out;
  if (graph->nways > 1 || graph->width) return;
  for (int k = 0; k < out->nquantities && f->products->count == 0; k++) {
    const ag_quantity *q = &out->quantities[k];
    const int n = q->shape == AG_DERIVATIVE ? columns_of(out, q) : 0;
    if (n > 0 && q->size == n * n) find_products(f, q);
  }
}

bool ag_has_products(const ag_graph *graph, ag_arena *arena) {
  ag_products products = {.count = 0};
  finder f = {.graph = graph, .products = &products, .arena = arena};
  find_all(&f);
  return products.count > 0;
}

const ag_products *ag_leave_products(ag_graph *graph, ag_arena *arena) {
  ag_products *products = ag_alloc(arena, sizeof *products);
  finder f = {.graph = graph, .products = products, .arena = arena};
  find_all(&f);
  if (!f.columns) return NULL;
  for (int c = 0; c < products->count; c++) {
    const ag_product *p = &products->of[c];
    for (int k = 0; k < p->n; k++) {
      const signed_node x = f.columns[c][k];
      graph->ways[AG_GENERAL].outputs[p->column + k * p->down] =
          x.minus ? ag_neg(&graph->dag, x.id) : x.id;
    }
  }
  ag_graph_complete(graph, arena);
  return products;
}
