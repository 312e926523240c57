/* SPDX-License-Identifier: MIT */
/* casadi_host.c: plays CasADi: loads a library of external functions by their documented protocol, and holds the
 * Jacobians against differences of the functions; its memories, and calls from threads. Arguments: the library, names of functions.
 * Built with -Dcasadi_int=int it plays acados. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef casadi_int
#define casadi_int long long int
#endif

typedef int eval_t(const double **arg, double **res, casadi_int *iw, double *w, int mem);
typedef const casadi_int *sparsity_t(casadi_int i);
typedef const char *name_t(casadi_int i);
typedef casadi_int count_t(void);
typedef int make_t(void);
typedef int begin_t(int mem);
typedef void end_t(int mem);
typedef void hold_t(void);
typedef int work_t(casadi_int *arg, casadi_int *res, casadi_int *iw, casadi_int *w);

enum { MOST = 64 };

typedef struct function {
  eval_t *eval;
  int nin, nout;
  const casadi_int *in[MOST], *out[16 * MOST];
  const char *in_name[MOST], *out_name[16 * MOST];
} function;

static void *library;

static void fail(const char *what, const char *name) {
  printf("FAILED: %s %s\n", name, what);
  exit(1);
}

/* A symbol as a pointer to a function, which C has no cast for. */
static void find(const char *name, const char *suffix, void *pointer) {
  char symbol[200];
  snprintf(symbol, sizeof symbol, "%s%s", name, suffix);
  void *address = dlsym(library, symbol);
  if (!address) fail("is not there", symbol);
  memcpy(pointer, &address, sizeof address);
}

static int nonzeros(const casadi_int *s) {
  return (int)s[2 + s[1]];
}

/* Compressed columns: rows within a column ascend. */
static void check_pattern(const casadi_int *s, const char *name) {
  const casadi_int *begin = s + 2, *row = s + 3 + s[1];
  if (s[0] < 0 || s[1] < 0 || begin[0] != 0) fail("has no pattern", name);
  for (casadi_int c = 0; c < s[1]; c++) {
    if (begin[c + 1] < begin[c]) fail("has columns that end before they begin", name);
    for (casadi_int k = begin[c]; k < begin[c + 1]; k++)
      if (row[k] < 0 || row[k] >= s[0] || (k > begin[c] && row[k] <= row[k - 1]))
        fail("has rows out of order", name);
  }
}

static function load(const char *name) {
  function f = {0};
  sparsity_t *in, *out;
  name_t *name_in, *name_out;
  count_t *n_in, *n_out;
  work_t *work;
  void *there;
  find(name, "", (void *)&f.eval);
  find(name, "_sparsity_in", (void *)&in);
  find(name, "_sparsity_out", (void *)&out);
  find(name, "_name_in", (void *)&name_in);
  find(name, "_name_out", (void *)&name_out);
  find(name, "_n_in", (void *)&n_in);
  find(name, "_n_out", (void *)&n_out);
  find(name, "_work", (void *)&work);
  static const char *const others[] = {"_default_in", "_alloc_mem", "_init_mem", "_free_mem",
                                       "_checkout",   "_release",   "_incref",   "_decref"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) find(name, others[k], (void *)&there);
  f.nin = (int)n_in();
  f.nout = (int)n_out();
  casadi_int sizes[4];
  if (work(&sizes[0], &sizes[1], &sizes[2], &sizes[3])) fail("_work failed", name);
  if (sizes[0] < f.nin || sizes[1] < f.nout) fail("_work is too small", name);
  if (f.nin > MOST || f.nout > 16 * MOST) fail("has too many arguments", name);
  for (int i = 0; i < f.nin; i++) {
    check_pattern(f.in[i] = in(i), name);
    f.in_name[i] = name_in(i);
  }
  for (int i = 0; i < f.nout; i++) {
    check_pattern(f.out[i] = out(i), name);
    f.out_name[i] = name_out(i);
  }
  if (in(f.nin) || name_out(f.nout)) fail("has arguments beyond its number", name);
  return f;
}

/* What CasADi does around calls: it holds the function, allocates memories and initialises them, and
 * checks one out for each thread that evaluates at the same time. */
typedef struct job {
  eval_t *eval;
  const double **arg;
  double *expected[MOST], *got[MOST];
  int nout, count[MOST], mem, wrong;
} job;

enum { THREADS = 4, CALLS = 200 };

static void *evaluate(void *given) {
  job *j = given;
  for (int call = 0; call < CALLS; call++) {
    for (int o = 0; o < j->nout; o++) memset(j->got[o], 0xa5, (size_t)j->count[o] * sizeof(double));
    j->wrong += j->eval(j->arg, j->got, NULL, NULL, j->mem) != 0;
    for (int o = 0; o < j->nout; o++)
      j->wrong += memcmp(j->got[o], j->expected[o], (size_t)j->count[o] * sizeof(double)) != 0;
  }
  return NULL;
}

static double *zeros(int n);

/* The rotation of a base or of a ball joint. */
static int is_quaternion(const char *input) {
  return strstr(input, "quat") != NULL || strncmp(input, "ball_", 5) == 0;
}

/* A mask has two values, 0 and 1: it does not move, and its blocks are zero. */
static int is_mask(const char *input) {
  return strcmp(input, "mask") == 0;
}

/* Calls at the same time, each with an input of its own, tell what they tell alone. */
static void judge_life(const char *name, const function *f, double *const x[]) {
  make_t *alloc_mem, *checkout;
  begin_t *init_mem;
  end_t *free_mem, *release;
  hold_t *incref, *decref;
  find(name, "_alloc_mem", (void *)&alloc_mem);
  find(name, "_checkout", (void *)&checkout);
  find(name, "_init_mem", (void *)&init_mem);
  find(name, "_free_mem", (void *)&free_mem);
  find(name, "_release", (void *)&release);
  find(name, "_incref", (void *)&incref);
  find(name, "_decref", (void *)&decref);
  static job jobs[THREADS];
  static const double *args[THREADS][MOST];
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    incref();
    const int made = alloc_mem();
    if (made < 0 || init_mem(made)) fail("gives no memory", name);
    job *j = &jobs[t];
    *j = (job){.eval = f->eval, .arg = args[t], .nout = f->nout, .mem = checkout()};
    if (j->mem < 0) fail("has no memory to check out", name);
    for (int i = 0; i < f->nin; i++) {
      const int n = nonzeros(f->in[i]),
                unit = is_quaternion(f->in_name[i]) || is_mask(f->in_name[i]);
      double *own = zeros(n);
      for (int k = 0; k < n; k++) own[k] = unit ? x[i][k] : x[i][k] * (1 + 0.1 * t);
      args[t][i] = own;
    }
    for (int o = 0; o < f->nout; o++) {
      j->count[o] = nonzeros(f->out[o]);
      j->expected[o] = zeros(j->count[o]);
      j->got[o] = zeros(j->count[o]);
    }
    if (f->eval(j->arg, j->expected, NULL, NULL, j->mem)) fail("tells of an error", name);
  }
  for (int t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, evaluate, &jobs[t])) fail("gets no thread", name);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    if (jobs[t].wrong) fail("tells threads something else", name);
    release(jobs[t].mem);
    free_mem(jobs[t].mem);
    decref();
  }
  for (int t = 1; t < THREADS; t++) /* or all of them may have told the same */
    if (f->nout > 0 && jobs[0].count[0] > 0 &&
        memcmp(jobs[0].expected[0], jobs[t].expected[0],
               (size_t)jobs[0].count[0] * sizeof(double)) == 0)
      fail("does not see its inputs", name);
}

static double uniform(void) {
  static unsigned state = 12345;
  state = state * 1664525u + 1013904223u;
  return state / 2147483648.0 - 1;
}

static double *zeros(int n) {
  return calloc((size_t)n + 1, sizeof(double));
}

/* Blocks jac_OUT_IN, OUT outermost, of the function at one state. */
static void judge(const char *name) {
  char jacobian_name[200];
  snprintf(jacobian_name, sizeof jacobian_name, "jac_%s", name);
  const function f = load(name), j = load(jacobian_name);
  if (j.nin != f.nin + f.nout)
    fail("takes other inputs than the function and its outputs", jacobian_name);
  if (j.nout != f.nout * f.nin) fail("has not one block by output and input", jacobian_name);
  double *x[MOST], *y[2][MOST], *blocks[16 * MOST], worst = 0;
  const double *arg[2 * MOST] = {NULL};
  for (int i = 0; i < f.nin; i++) {
    const int n = nonzeros(f.in[i]);
    x[i] = zeros(n);
    double norm = 0;
    for (int k = 0; k < n; k++) {
      x[i][k] = is_mask(f.in_name[i]) ? k != 1 : uniform();
      norm += x[i][k] * x[i][k];
    }
    const int unit = is_quaternion(f.in_name[i]);
    for (int k = 0; k < n && unit; k++) x[i][k] /= sqrt(norm);
    arg[i] = x[i];
    if (strcmp(f.in_name[i], j.in_name[i]) != 0) fail("has inputs in another order", jacobian_name);
  }
  for (int o = 0; o < f.nout; o++) {
    char expected[200];
    snprintf(expected, sizeof expected, "out_%s", f.out_name[o]);
    if (strcmp(expected, j.in_name[f.nin + o]) != 0)
      fail("has outputs in another order", jacobian_name);
    for (int side = 0; side < 2; side++) y[side][o] = zeros(nonzeros(f.out[o]));
  }
  for (int b = 0; b < j.nout; b++) blocks[b] = zeros(nonzeros(j.out[b]));
  if (j.eval(arg, blocks, NULL, NULL, 0)) fail("tells of an error", jacobian_name);
  const double h = 1e-6;
  for (int i = 0; i < f.nin; i++)
    for (int o = 0; o < f.nout; o++)
      if (is_mask(f.in_name[i]) && nonzeros(j.out[o * f.nin + i]) > 0)
        fail("moves with a mask", f.out_name[o]);
  for (int i = 0; i < f.nin; i++)
    for (int k = 0; k < nonzeros(f.in[i]) && !is_mask(f.in_name[i]); k++) {
      const double kept = x[i][k];
      for (int side = 0; side < 2; side++) {
        x[i][k] = kept + (side ? -h : h);
        /* along the sphere: the norm of a quaternion stays 1 to the square of h */
        if (f.eval(arg, y[side], NULL, NULL, 0)) fail("tells of an error", name);
      }
      x[i][k] = kept;
      for (int o = 0; o < f.nout; o++) {
        char expected[200];
        snprintf(expected, sizeof expected, "jac_%s_%s", f.out_name[o], f.in_name[i]);
        const int b = o * f.nin + i;
        if (strcmp(expected, j.out_name[b]) != 0) fail(expected, "misses the block");
        const casadi_int *s = j.out[b], *begin = s + 2, *row = s + 3 + s[1];
        for (casadi_int r = 0; r < s[0]; r++) {
          double told = 0, d = (y[0][o][r] - y[1][o][r]) / (2 * h);
          for (casadi_int e = begin[k]; e < begin[k + 1]; e++)
            if (row[e] == r) told = blocks[b][e];
          if (is_quaternion(f.in_name[i])) continue; /* below, along the sphere */
          const double error = fabs(told - d) / (1 + fabs(d));
          if (!(error <= worst)) worst = error;
        }
      }
    }
  /* quaternions: by a turn about each axis of the body, (1, d/2) behind it */
  for (int i = 0; i < f.nin; i++)
    for (int axis = 0; axis < 3 && is_quaternion(f.in_name[i]); axis++) {
      const double w = x[i][0], v[3] = {x[i][1], x[i][2], x[i][3]};
      const int a = axis, b = (axis + 1) % 3, c = (axis + 2) % 3;
      double along[4], kept[4];
      along[0] = -v[a] / 2;
      along[1 + a] = w / 2;
      along[1 + b] = v[c] / 2;
      along[1 + c] = -v[b] / 2;
      memcpy(kept, x[i], sizeof kept);
      for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 4; k++) x[i][k] = kept[k] + (side ? -h : h) * along[k];
        if (f.eval(arg, y[side], NULL, NULL, 0)) fail("tells of an error", name);
      }
      memcpy(x[i], kept, sizeof kept);
      for (int o = 0; o < f.nout; o++) {
        const casadi_int *s = j.out[o * f.nin + i], *begin = s + 2, *row = s + 3 + s[1];
        for (casadi_int r = 0; r < s[0]; r++) {
          double told = 0;
          const double d = (y[0][o][r] - y[1][o][r]) / (2 * h);
          for (int k = 0; k < 4; k++)
            for (casadi_int e = begin[k]; e < begin[k + 1]; e++)
              if (row[e] == r) told += blocks[o * f.nin + i][e] * along[k];
          const double error = fabs(told - d) / (1 + fabs(d));
          if (!(error <= worst)) worst = error;
        }
      }
    }
  judge_life(name, &f, x);
  /* outputs that nobody wants, and an input that is not given, which is zero */
  double *none[16 * MOST] = {NULL};
  if (f.eval(arg, none, NULL, NULL, 0)) fail("wants all outputs", name);
  int without = 1; /* a rotation cannot be zero */
  while (is_quaternion(f.in_name[without])) without++;
  arg[without] = NULL;
  if (f.eval(arg, y[0], NULL, NULL, 0)) fail("wants all inputs", name);
  memset(x[without], 0, (size_t)nonzeros(f.in[without]) * sizeof(double));
  arg[without] = x[without];
  if (f.eval(arg, y[1], NULL, NULL, 0)) fail("tells of an error", name);
  for (int o = 0; o < f.nout; o++)
    if (memcmp(y[0][o], y[1][o], (size_t)nonzeros(f.out[o]) * sizeof(double)) != 0)
      fail("takes a missing input for something else than zero", name);
  x[0][0] = NAN;
  if (!f.eval(arg, y[0], NULL, NULL, 0)) fail("takes NaN for a number", name);
  printf("%s: %d inputs, %d outputs, %d blocks; worst against differences %.1e\n", name, f.nin,
         f.nout, j.nout, worst);
  if (!(worst < 1e-5)) fail("has a wrong Jacobian", name);
}

int main(int argc, char **argv) {
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(dlerror(), argv[1]);
  for (int k = 2; k < argc; k++) judge(argv[k]);
  dlclose(library);
  return argc < 3;
}
