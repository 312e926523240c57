/* SPDX-License-Identifier: MIT */
/* tree.c: experiment 11: table 4.1 of Devaramani 2019, a mobile base as a tree: accelerations and the
 * rows' joint torques under a moment, a force and drive torques. Each number to half of the last
 * digit printed. The third row, drives of 1 N m, does not follow from the robot from which the first
 * two follow: what is printed stands beside what that robot does (tests/numbers/table41_test.cpp). */
#include "experiments/experiment.h"

#include "tree.h"

enum { NJ = TREE_NJ };

static const struct row {
  const char *title;
  double moment, force, drive;
  double qdd[NJ], tau[NJ], x, yaw;
  double digit; /* half of the last one of accelerations; of torques 5e-7 */
  bool as_printed;
} rows[] = {{"moment of 10 N m",
             10,
             0,
             0,
             {-0.651743, -1.36504, -3.97664, -1.36552, -3.97664, -1.36552, -0.651743, -1.36504},
             {.303226, 0, -.126057, 0, -.126057, 0, .303226, 0},
             -0.0368095,
             1.4962,
             5.1e-5,
             true},
            {"force of 50 N",
             0,
             50,
             0,
             {3.49264, .168407, 3.90164, .168467, 3.90164, .168467, 3.49264, .168407},
             {.243069, 0, .238214, 0, .238214, 0, .243069, 0},
             .158089,
             -.184047,
             5.1e-6,
             true},
            {"drives of 1 N m",
             0,
             0,
             1,
             {0.238765, 34.412839, 1.452347, 34.413015, 1.452347, 34.413015, 0.238765, 34.412839},
             {-.0252106, 0, -.039616, 0, -.039616, 0, -.0252106, 0},
             .013475,
             -.546112,
             5.1e-7,
             false}};

/* The third row as it is printed; x, y [m/s^2] and yaw [rad/s^2] of the base. */
static const double printed_x = .0111047, printed_y = .00467013, printed_yaw = -.192697;
static const double printed_qdd[NJ] = {0.329141, 34.0727, 0.549795, 34.0727,
                                       0.757357, 34.1083, 0.12158,  34.1082};
static const double printed_tau[NJ] = {.0695287, 0, -.0665266, 0, -.0539123, 0, .0463929, 0};

static double farthest(const double *a, const double *b) {
  double off = 0;
  for (int j = 0; j < NJ; j++) off = fmax(off, fabs(a[j] - b[j]));
  return off;
}

bool run_tree(int n, const char *folder) {
  static record r;
  static const achd_signal signals[] = {{"moment", NULL, 0, "N m"}, {"yaw", "acc", 0, "rad/s^2"}};
  char text[160];
  r = (record){.folder = folder,
               .title = "a mobile base as a tree",
               .source = "Devaramani 2019, table 4.1",
               .text = "Numbers, not a motion: the signal is the yaw acceleration over the moment, "
                       "drawn in place of time.",
               .number = n};
  record_start_plain(&r, signals, 2, 1);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const struct row *row = &rows[k];
    tree_achd_in in = {.base = {.quat = {1, 0, 0, 0}}};
    tree_achd_out out;
    in.push.ang[2] = row->moment;
    in.push.lin[0] = row->force;
    for (int j = 1; j < NJ; j += 2) in.tau_phys[j] = row->drive;
    tree_achd(&in, &out);
    const double off = farthest(out.qdd, row->qdd), off_tau = farthest(out.tau_ctrl, row->tau);
    const char *digits =
        row->as_printed ? "half of the last digit" : "of ours, half of the last digit";
    char yaw[80], x[80];
    snprintf(yaw, sizeof yaw, row->as_printed ? "as printed" : "not as printed; %.6f to 5e-7",
             row->yaw);
    snprintf(x, sizeof x, row->as_printed ? "as printed" : "not as printed; %.6f to 5e-7", row->x);
    snprintf(text, sizeof text, "%s: yaw acceleration", row->title);
    record_bound(&r, text, "rad/s^2", row->as_printed ? row->yaw : printed_yaw, out.base.acc.ang[2],
                 yaw, fabs(out.base.acc.ang[2] - row->yaw) <= row->digit);
    snprintf(text, sizeof text, "%s: acceleration along x", row->title);
    record_bound(&r, text, "m/s^2", row->as_printed ? row->x : printed_x, out.base.acc.lin[0], x,
                 fabs(out.base.acc.lin[0] - row->x) <= 5.1e-7);
    snprintf(text, sizeof text, "%s: joint accelerations, farthest off", row->title);
    record_bound(&r, text, "rad/s^2", NAN, off, digits, off <= 5.1e-6);
    snprintf(text, sizeof text, "%s: joint torques of the rows, farthest off", row->title);
    record_bound(&r, text, "N m", NAN, off_tau, digits, off_tau <= 5.1e-7);
    if (row->as_printed) continue;
    snprintf(text, sizeof text, "%s: acceleration along y", row->title);
    record_bound(&r, text, "m/s^2", printed_y, out.base.acc.lin[1], "not as printed; 0 by symmetry",
                 fabs(out.base.acc.lin[1]) <= 5.1e-7);
    snprintf(text, sizeof text, "%s: joint accelerations, farthest from print", row->title);
    record_say(&r, text, "rad/s^2", NAN, farthest(out.qdd, printed_qdd));
    snprintf(text, sizeof text, "%s: joint torques of the rows, farthest from print", row->title);
    record_say(&r, text, "N m", NAN, farthest(out.tau_ctrl, printed_tau));
  }
  for (int k = 0; k <= 100; k++) {
    tree_achd_in in = {.base = {.quat = {1, 0, 0, 0}}};
    tree_achd_out out;
    double values[2] = {0.1 * k};
    in.push.ang[2] = values[0];
    tree_achd(&in, &out);
    values[1] = out.base.acc.ang[2];
    record_put(&r, NULL, 0.1 * k, values);
  }
  return record_end(&r);
}
