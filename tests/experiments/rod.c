/* rod.c: experiment 10 (Vukcevic 2018): static friction of one joint, a number each: a rod of 1 m and
 * 1 kg, no gravity, breakaway 10 N m. By the bounded solver; tests/runtime/friction_test.c has more.
 */
#include "experiments/experiment.h"

#include <achd/mclp.h>

#include "rod_free.h"
#include "rod_held.h"

/* The rod that the table is judged by, and the same mass in the other ways that the report leaves
 * open: it prints the centre of mass and no moment of inertia. */
#include "point.h"
#include "point_far.h"
#include "rod_far.h"

/* PUSH(name, NAME): name_push(push, reaction, qdd), a push [N] at the tip across the rod; reaction
 * of the joint [N m], acceleration [rad/s^2]. */
#define PUSH(name, NAME)                                                                           \
  static void name##_push(double push, double *reaction, double *qdd) {                            \
    static double work[ACHD_MCLP_WORK(NAME##_NR)];                                                 \
    signed char side[NAME##_NR] = {0};                                                             \
    double nu[NAME##_NR];                                                                          \
    name##_achd_in in = {.push = {.lin = {-push, 0, 0}}};                                          \
    name##_mclp_out p;                                                                             \
    name##_achd_out out;                                                                           \
    achd_mclp_report report;                                                                       \
    name##_mclp(&in, &p);                                                                          \
    const achd_mclp_problem problem = {NAME##_NR, p.L, p.r, p.lo, p.hi};                           \
    achd_mclp(&problem, nu, side, 0, work, &report);                                               \
    name##_apply(&in, &p, nu, &out);                                                               \
    *reaction = nu[0];                                                                             \
    *qdd = out.qdd[0];                                                                             \
  }
PUSH(rod_free, ROD_FREE)
PUSH(rod_far, ROD_FAR)
PUSH(point, POINT)
PUSH(point_far, POINT_FAR)

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
    rod_free_push(row[0], &row[1], &row[2]);
    record_put(&r, NULL, 0.1 * k, row);
  }
  rod_free_push(-5, &reaction[0], &qdd[0]);
  rod_free_push(-11, &reaction[1], &qdd[1]);
  const double vertex = impose(5);
  const struct {
    const char *quantity, *unit;
    double published, ours;
  } lines[] = {{"push of -5 N: reaction", "N m", 5, reaction[0]},
               {"push of -5 N: acceleration", "rad/s^2", 0, qdd[0]},
               {"push of -11 N: reaction", "N m", 10, reaction[1]},
               {"tip acceleration of 5 imposed: reaction", "N m", -10, vertex}};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
    record_bound(&r, lines[k].quantity, lines[k].unit, lines[k].published, lines[k].ours, "1e-9",
                 fabs(lines[k].ours - lines[k].published) <= 1e-9);

  /* What is left of -11 N m is -1 N m. The report prints -0.44 rad/s^2 and no moment of inertia:
   * only a point of 1 kg that is 1.5 m from the joint, half a metre beyond the tip, gives that. */
  double far, point, point_far, unused;
  rod_far_push(-11, &unused, &far);
  point_push(-11, &unused, &point);
  point_far_push(-11, &unused, &point_far);
  const struct {
    const char *mass;
    double by_hand, here;
  } masses[] = {{"a rod, centre at 0.5 m (ours)", -3, qdd[1]},
                {"a point at 0.5 m", -4, point},
                {"a rod, centre at 1.5 m", -3.0 / 7, far}};
  char quantity[160], bound[160];
  for (size_t k = 0; k < sizeof masses / sizeof *masses; k++) {
    snprintf(quantity, sizeof quantity, "push of -11 N: acceleration, %s", masses[k].mass);
    snprintf(bound, sizeof bound, "by hand %.9g, to 1e-9", masses[k].by_hand);
    record_bound(&r, quantity, "rad/s^2", NAN, masses[k].here, bound,
                 fabs(masses[k].here - masses[k].by_hand) <= 1e-9);
  }
  record_bound(&r, "push of -11 N: acceleration, a point at 1.5 m", "rad/s^2", -0.44, point_far,
               "half of the last digit", fabs(point_far + 0.44) <= 0.005);
  return record_end(&r);
}
