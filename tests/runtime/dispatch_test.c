/* SPDX-License-Identifier: MIT */
/* dispatch_test.c: the two copies of libachd's solvers (runtime/dispatch.h). The same random problems are solved as on a processor with
 * AVX2 and as on one without; every number that the solvers answer has the same bits. Which copy is called is counted
 * (--wrap of the linker). Which one is right follows from what libgcc found out about the processor; its note is changed here. */
#include "test.h"

#if !defined(ACHD_DISPATCH) || !defined(__GNUC__) || !defined(__x86_64__) || defined(__AVX2__)
int main(void) {
  return 77; /* one copy */
}
#else
#include <achd/contact.h>
#include <achd/qp.h>

#include "random.h"

enum { SKIPPED = 77, N = 24, M = 40, LEVELS = 2, PROBLEMS = 300, CONTACTS = 6, BOXES = 4 };
enum { ROWS = 3 * CONTACTS + BOXES, AVX2 = 10 /* the bit of the note */ };

/* what __builtin_cpu_supports reads, in gcc and clang alike: cpuinfo.h of libgcc and of compiler-rt */
extern struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;

static int calls; /* of the copies for AVX2 */

achd_qp_status __real_achd_qp_avx2(const achd_qp_problem *, achd_real *, achd_real *, signed char *,
                                   int, achd_real *, achd_qp_report *);
achd_qp_status __wrap_achd_qp_avx2(const achd_qp_problem *, achd_real *, achd_real *, signed char *,
                                   int, achd_real *, achd_qp_report *);
achd_qp_status __wrap_achd_qp_avx2(const achd_qp_problem *p, achd_real *x, achd_real *dual,
                                   signed char *side, int most, achd_real *work,
                                   achd_qp_report *report) {
  calls++;
  return __real_achd_qp_avx2(p, x, dual, side, most, work, report);
}

achd_contact_status __real_achd_contact_solve_avx2(const achd_contact_problem *, achd_real *, int,
                                                   achd_real *, achd_contact_report *);
achd_contact_status __wrap_achd_contact_solve_avx2(const achd_contact_problem *, achd_real *, int,
                                                   achd_real *, achd_contact_report *);
achd_contact_status __wrap_achd_contact_solve_avx2(const achd_contact_problem *p, achd_real *lambda,
                                                   int most, achd_real *work,
                                                   achd_contact_report *report) {
  calls++;
  return __real_achd_contact_solve_avx2(p, lambda, most, work, report);
}

static unsigned long long seed = 88172645463325252u;

/* S <- B B^T of a random B, and diagonal in addition: the n rows of the lower half one after the other, or all n n numbers. */
static void draw_square(achd_real S[], int n, double diagonal, bool whole) {
  static double B[N][N];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) B[i][k] = random_normal(&seed);
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      double sum = i == k ? diagonal : 0;
      for (int l = 0; l < n; l++) sum += B[i][l] * B[k][l];
      if (whole)
        S[i * n + k] = S[k * n + i] = sum;
      else
        S[i * (i + 1) / 2 + k] = sum;
    }
}

typedef struct answers {
  achd_real x[N], dual[ACHD_QP_DUAL(LEVELS, M)], lambda[ROWS];
  achd_qp_report qp;
  achd_contact_report contact;
  int status[2], calls[2];
  signed char side[M];
} answers;

/* With the note changed by `without`, so that the processor seems to have no AVX2. */
static void solve(const achd_qp_problem *qp, const achd_contact_problem *contact, unsigned without,
                  answers *a) {
  static achd_real work[ACHD_QP_WORK(N, M)], memory[ACHD_CONTACT_WORK(ROWS)];
  const unsigned found = __cpu_model.features[0];
  memset(a, 0, sizeof *a);
  __cpu_model.features[0] = found & ~without;
  calls = 0;
  a->status[0] = (int)achd_qp(qp, a->x, a->dual, a->side, 0, work, &a->qp);
  a->calls[0] = calls;
  a->status[1] = (int)achd_contact_solve(contact, a->lambda, 0, memory, &a->contact);
  a->calls[1] = calls - a->calls[0];
  __cpu_model.features[0] = found;
}

static void copies_have_the_same_bits(void) {
  static achd_real H[N * (N + 1) / 2], g[N], A[M * N], lo[M], hi[M], level[M], weight[M];
  static achd_real G[ROWS * ROWS], b[ROWS], mu[CONTACTS], bound[BOXES];
  static answers plain, wide;
  int solved = 0, touching = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    const int n = 1 + k % N, m = k % 7 == 0 ? 1 : 2 * n < M ? 2 * n : M;
    draw_square(H, n, 0.1, false);
    for (int i = 0; i < n; i++) g[i] = random_normal(&seed);
    for (int j = 0; j < m; j++) {
      for (int i = 0; i < n; i++) A[j * n + i] = random_normal(&seed);
      hi[j] = random_between(&seed, -1, 2), lo[j] = j % 3 == 0 ? -ACHD_INFINITY : hi[j] - 1;
      level[j] = j % (LEVELS + 1), weight[j] = random_between(&seed, 0.1, 2);
    }
    draw_square(G, ROWS, 0, true);
    for (int i = 0; i < ROWS; i++) b[i] = random_normal(&seed);
    for (int i = 0; i < CONTACTS; i++) mu[i] = random_between(&seed, 0, 1.5);
    for (int i = 0; i < BOXES; i++) bound[i] = random_between(&seed, 0, 1);
    if (k % 50 == 49) g[0] = b[0] = (achd_real)NAN;
    const achd_qp_problem qp = {n, m, LEVELS, H, g, A, lo, hi, level, weight};
    const achd_contact_problem contact = {CONTACTS, 0, BOXES, G, b, NULL, mu, bound, NULL};
    solve(&qp, &contact, 1u << AVX2, &plain);
    solve(&qp, &contact, 0, &wide);
    CHECK(plain.calls[0] == 0 && plain.calls[1] == 0 && wide.calls[0] == 1 && wide.calls[1] == 1);
    memset(plain.calls, 0, sizeof plain.calls), memset(wide.calls, 0, sizeof wide.calls);
    CHECK(memcmp(&plain, &wide, sizeof plain) == 0);
    solved += plain.status[0] == ACHD_QP_SOLVED || plain.status[0] == ACHD_QP_YIELDED;
    touching += plain.status[1] == ACHD_CONTACT_SOLVED;
  }
  printf("%d problems in both copies, %d and %d of them solved\n", PROBLEMS, solved, touching);
  CHECK(solved > PROBLEMS / 2 && touching > PROBLEMS / 2);
}

int main(void) {
  if (!__builtin_cpu_supports("avx2")) return SKIPPED;
  RUN(copies_have_the_same_bits);
  return test_end();
}
#endif
