/* SPDX-License-Identifier: MIT */
/* What achdgen makes of robots/gen3.urdf without a layout, at work: six rows at the tool, along the
 * axes of the base. Holds a pose against gravity, accelerates the tool along x, measures the time
 * per solve. tests/demo.sh generates gen3_achd.h, compiles this and runs it. */
#define _POSIX_C_SOURCE 199309L
#define GEN3_IMPLEMENTATION
#include "gen3_achd.h"

#include <stdio.h>
#include <time.h>

static const double gravity[3] = {0, 0, -9.81}; /* [m/s^2] in base_link */
/* Tool ahead, elbow up and balanced [rad]: seven joints have one freedom more than the six rows,
 * the swivel of the elbow, and elsewhere the elbow would begin to fall while the tool stays. */
static const double pose[GEN3_NJ] = {-0.066627, 0.258344, 3.221545, -2.272219,
                                     0.013017,  0.960040, 1.542917};

static void print_numbers(const char *label, const double *x, int n) {
  printf("  %-10s", label);
  for (int i = 0; i < n; i++)
    printf(" %10.4f", x[i] > -5e-5 && x[i] < 5e-5 ? 0 : x[i]); /* no -0.0000 */
  printf("\n");
}

static gen3_achd_in rest_in_pose(void) {
  gen3_achd_in in = {0};
  for (int i = 0; i < GEN3_NJ; i++) in.q[i] = pose[i];
  for (int i = 0; i < 3; i++) in.gravity[i] = gravity[i];
  for (int i = 0; i < GEN3_NR; i++) in.mask[i] = 1; /* every row holds */
  return in;
}

static gen3_status solve_and_print(const char *what, const gen3_achd_in *in) {
  gen3_achd_out out;
  const gen3_status status = gen3_achd(in, &out);
  printf("%s\n", what);
  print_numbers("b", in->b, GEN3_NR);
  print_numbers("nu", out.nu, GEN3_NR);
  print_numbers("qdd", out.qdd, GEN3_NJ);
  print_numbers("tau_ctrl", out.tau_ctrl, GEN3_NJ);
  printf("  %-10s %10.4g\n", "pivot_min", out.pivot_min);
  printf("  %-10s %10u %s\n\n", "status", status,
         status == GEN3_OK ? "(clean)" : "(see gen3_achd.h)");
  return status;
}

/* A number in -1..1, the same sequence on every machine. */
static double next_number(void) {
  static unsigned long long state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 33) / 1073741824.0 - 1.0;
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum { STATES = 512, ROUNDS = 400 };

/* Least time of many rounds over states that differ [ns per solve]; every output is used. */
static double measure(double *checksum) {
  static gen3_achd_in states[STATES];
  double least = 0;
  for (int k = 0; k < STATES; k++) {
    states[k] = rest_in_pose();
    for (int i = 0; i < GEN3_NJ; i++) {
      states[k].q[i] += next_number();
      states[k].qd[i] = next_number();
    }
    for (int i = 0; i < GEN3_NR; i++) states[k].b[i] = next_number();
  }
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    for (int k = 0; k < STATES; k++) {
      gen3_achd_out out;
      *checksum += gen3_achd(&states[k], &out);
      for (int i = 0; i < GEN3_NJ; i++) *checksum += out.qdd[i] + out.tau_ctrl[i];
      for (int i = 0; i < GEN3_NR; i++) *checksum += out.nu[i];
    }
    const double ns = (now_ns() - start) / STATES;
    if (round == 0 || ns < least) least = ns;
  }
  return least;
}

int main(void) {
  gen3_status status = 0;
  printf("Kinova Gen3, %d joints, %d rows at the tool (linear x y z, angular x y z)\n", GEN3_NJ,
         GEN3_NR);
  printf("  b [m/s^2, rad/s^2]  nu [N, N m]  qdd [rad/s^2]  tau_ctrl [N m]\n\n");

  gen3_achd_in in = rest_in_pose();
  status |= solve_and_print("Hold the pose against gravity: no acceleration of the tool", &in);

  in.b[GEN3_TOOL_LIN_X] = 0.5;
  status |= solve_and_print("Accelerate the tool along x by 0.5 m/s^2, without turning it", &in);

  double checksum = 0;
  const double ns = measure(&checksum);
  printf("%.0f ns per solve (least of %d rounds over %d states; checksum %.6g)\n", ns, ROUNDS,
         STATES, checksum);
  return status == GEN3_OK ? 0 : 1;
}
