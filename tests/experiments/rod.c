/* rod.c: experiment 10 (Vukcevic 2018): static friction of one joint, a number each: a rod of 1 m and
 * 1 kg, no gravity, breakaway 10 N m. By the bounded solver; tests/runtime/friction_test.c has more.
 */
#include "experiments/experiment.h"

#include <achd/mclp.h>

#include "rod_free.h"
#include "rod_held.h"

/* A push at the tip across the rod; reaction of the joint, acceleration. */
static void push_free(double push, double *reaction, double *qdd) {
  static double work[ACHD_MCLP_WORK(ROD_FREE_NR)];
  signed char side[ROD_FREE_NR] = {0};
  double nu[ROD_FREE_NR];
  rod_free_achd_in in = {.push = {.lin = {-push, 0, 0}}};
  rod_free_mclp_out p;
  rod_free_achd_out out;
  achd_mclp_report report;
  rod_free_mclp(&in, &p);
  const achd_mclp_problem problem = {ROD_FREE_NR, p.L, p.r, p.lo, p.hi};
  achd_mclp(&problem, nu, side, 0, work, &report);
  rod_free_apply(&in, &p, nu, &out);
  *reaction = nu[0];
  *qdd = out.qdd[0];
}

static double impose(double acceleration) {
  static double work[ACHD_MCLP_WORK(ROD_HELD_NR)];
  signed char side[ROD_HELD_NR] = {0};
  double nu[ROD_HELD_NR];
  rod_held_achd_in in = {.b = {acceleration}};
  rod_held_mclp_out p;
  achd_mclp_report report;
  in.qd[0] = 0;
  rod_held_mclp(&in, &p);
  const achd_mclp_problem problem = {ROD_HELD_NR, p.L, p.r, p.lo, p.hi};
  achd_mclp(&problem, nu, side, 0, work, &report);
  return nu[ROD_HELD_NR - 1];
}

bool run_rod(int n, const char *folder) {
  static record r;
  static const achd_signal signals[] = {
      {"tip_force", NULL, 0, "N"}, {"friction", NULL, 0, "N m"}, {"qdd", "joint", 0, "rad/s^2"}};
  double reaction[2], qdd[2];
  r = (record){.folder = folder,
               .title = "static friction of one joint",
               .source = "Vukcevic 2018",
               .text = "Numbers, not a motion: the signals are a sweep of the push from 0 to -15 N "
                       "in steps of 0.1 N, drawn over the size of the push in place of time.",
               .number = n};
  record_start_plain(&r, signals, 3, 1);
  for (int k = 0; k <= 150; k++) {
    double row[3] = {-0.1 * k};
    push_free(row[0], &row[1], &row[2]);
    record_put(&r, NULL, 0.1 * k, row);
  }
  push_free(-5, &reaction[0], &qdd[0]);
  push_free(-11, &reaction[1], &qdd[1]);
  const double vertex = impose(5);
  const struct {
    const char *quantity, *unit;
    double published, ours;
  } lines[] = {{"push of -5 N: reaction", "N m", 5, reaction[0]},
               {"push of -5 N: acceleration", "rad/s^2", 0, qdd[0]},
               {"push of -11 N: reaction", "N m", 10, reaction[1]},
               {"push of -11 N: acceleration, with the rod's inertia", "rad/s^2", -3, qdd[1]},
               {"tip acceleration of 5 imposed: reaction", "N m", -10, vertex}};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    record_bound(&r, lines[k].quantity, lines[k].unit, lines[k].published, lines[k].ours, "1e-9",
                 fabs(lines[k].ours - lines[k].published) <= 1e-9);
  return record_end(&r);
}
