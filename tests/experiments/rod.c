/* SPDX-License-Identifier: MIT */
/* rod.c: experiment 10 (Vukcevic 2018): static friction of one joint, a number each: a rod of 1 m and
 * 1 kg, no gravity, breakaway 10 N m. By the bounded solver; tests/runtime/friction_test.c has more.
 */
#include "experiments/experiment.h"

#include <achd/mclp.h>

#include "runtime/plot.h"

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

/* ---- the acceleration energy Z(qdd, mu), of the reaction mu and the acceleration ---- */

enum { SAMPLES = 201, PUSHES = 2, FIXED = 4 };
static const double pushes[PUSHES] = {-5, -11}, fixed[FIXED] = {-10, 0, 5, 10};
static const double inertia = 1.0 / 3; /* of the rod about its joint [kg m^2] */

/* The solver's output Z with the reaction held at mu: at the acceleration that follows from it, or at
 * an imposed one. */
static double energy_at(double push, double mu, double *qdd) {
  rod_free_achd_in in = {.push = {.lin = {-push, 0, 0}}};
  rod_free_mclp_out p;
  rod_free_achd_out out;
  rod_free_mclp(&in, &p);
  rod_free_apply(&in, &p, &mu, &out);
  *qdd = out.qdd[0];
  return out.Z;
}

static double energy_imposed(double push, double mu, double qdd) {
  static double work[ACHD_MCLP_WORK(ROD_HELD_NR)];
  signed char side[ROD_HELD_NR] = {0};
  double nu[ROD_HELD_NR];
  rod_held_achd_in in = {.push = {.lin = {-push, 0, 0}}, .b = {qdd}};
  rod_held_mclp_out p;
  rod_held_achd_out out;
  achd_mclp_report report;
  rod_held_mclp(&in, &p);
  p.lo[ROD_HELD_NR - 1] = p.hi[ROD_HELD_NR - 1] = mu;
  const achd_mclp_problem problem = {ROD_HELD_NR, p.L, p.r, p.lo, p.hi};
  if (achd_mclp(&problem, nu, side, 0, work, &report) != ACHD_MCLP_SOLVED) return NAN;
  rod_held_apply(&in, &p, nu, &out);
  return out.Z;
}

/* Figures 6.2 to 6.7 of the report: Z, acceleration and joint torque over mu; and Z over acceleration
 * and mu, whose least along qdd and largest along mu is the motion. */
static void draw_energies(record *r) {
  static double Z[PUSHES][SAMPLES], qdd[PUSHES][SAMPLES], tau[PUSHES][SAMPLES],
      surface[PUSHES][FIXED][SAMPLES];
  static char names[FIXED][24];
  double largest[PUSHES] = {-INFINITY, -INFINITY}, at[PUSHES] = {0}, off = 0;
  char path[1000], text[160];
  for (int c = 0; c < PUSHES; c++)
    for (int k = 0; k < SAMPLES; k++) {
      const double mu = -10 + 0.1 * k, a = -30 + 0.3 * k;
      Z[c][k] = energy_at(pushes[c], mu, &qdd[c][k]);
      tau[c][k] = inertia * qdd[c][k];
      if (Z[c][k] > largest[c]) largest[c] = Z[c][k], at[c] = mu;
      for (int f = 0; f < FIXED; f++) {
        surface[c][f][k] = energy_imposed(pushes[c], fixed[f], a);
        off = fmax(off, fabs(surface[c][f][k] - (inertia / 2 * a - pushes[c] - fixed[f]) * a));
      }
    }
  for (int c = 0; c < PUSHES; c++) {
    snprintf(text, sizeof text, "push of %g N: mu of the largest acceleration energy", pushes[c]);
    record_bound(r, text, "N m", c == 0 ? 5 : 10, at[c], "0.05, half a step",
                 fabs(at[c] - (c == 0 ? 5 : 10)) <= 0.05);
    snprintf(text, sizeof text, "push of %g N: acceleration energy there", pushes[c]);
    record_bound(r, text, "J/s^2", NAN, largest[c], c == 0 ? "0, to 1e-9" : "-1.5, to 1e-9",
                 fabs(largest[c] + (c == 0 ? 0 : 1.5)) <= 1e-9);
  }
  record_bound(r, "Z beside 1/2 I qdd^2 - (push + mu) qdd, farthest off", "J/s^2", NAN, off, "1e-9",
               off <= 1e-9);
  if (!r->folder) return;
  snprintf(path, sizeof path, "%s/energy.svg", r->folder);
  bool drawn =
      plot_write_over(path, "One joint, over the reaction of its friction",
                      (plot_axis){"mu [N m]", -10, 0.1, at, NULL, 0}, SAMPLES,
                      (plot_panel[]){{"Z [J/s^2]", {{"-5 N", Z[0]}, {"-11 N", Z[1]}}},
                                     {"qdd [rad/s^2]", {{"-5 N", qdd[0]}, {"-11 N", qdd[1]}}},
                                     {"torque [N m]", {{"-5 N", tau[0]}, {"-11 N", tau[1]}}},
                                     {0}}) == 0;
  r->pictures[r->npictures].file = "energy.svg";
  r->pictures[r->npictures++].text = "Z, acceleration and torque of the joint over the reaction mu";
  plot_panel panels[PUSHES + 1] = {{0}};
  for (int c = 0; c < PUSHES; c++) {
    panels[c].unit = c == 0 ? "Z at -5 N [J/s^2]" : "Z at -11 N [J/s^2]";
    for (int f = 0; f < FIXED; f++) {
      snprintf(names[f], sizeof names[f], "mu = %g", fixed[f]);
      panels[c].curves[f] = (plot_curve){names[f], surface[c][f]};
    }
  }
  snprintf(path, sizeof path, "%s/surface.svg", r->folder);
  drawn = plot_write_over(path, "Z over acceleration and reaction",
                          (plot_axis){"qdd [rad/s^2]", -30, 0.3, NULL, NULL, 0}, SAMPLES,
                          panels) == 0 &&
          drawn;
  r->pictures[r->npictures].file = "surface.svg";
  r->pictures[r->npictures++].text =
      "lines of the surface Z(qdd, mu): the motion is where the highest of their lowest points is";
  if (!drawn) fprintf(stderr, "experiments: %s: pictures cannot be written\n", r->folder);
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
  draw_energies(&r);
  return record_end(&r);
}
