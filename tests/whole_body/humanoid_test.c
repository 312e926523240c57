/* humanoid_test.c: a humanoid of 30 joints in MuJoCo, on MuJoCo's contacts, by motor torques alone
 * (robots/whole_body/humanoid.lua): it stands on two feet, and sways: its pelvis goes sideways and
 * down and turns. With a folder as argument it draws what it did. */
#include "runtime/plot.h"
#include "test.h"
#include "whole_body/simulation.h"

#define HUMANOID_IMPLEMENTATION
#include "humanoid.h"

#include <stdlib.h>

static const char *const joints[] = HUMANOID_JOINT_NAMES;
static const char *folder;
static simulation sim;
static double home[3], start[HUMANOID_NJ];

/* Signals of the record. */
enum {
  ERROR_X,
  ERROR_Y,
  ERROR_Z,
  TURN,
  LEFT,
  RIGHT,
  LIFT,
  SLIP,
  SCALE,
  PELVIS_Y,
  PELVIS_Z,
  SIGNALS
};

typedef struct wish {
  double pelvis[3], speed[3], yaw, yaw_rate;
} wish;

static void begin(const char *name) {
  double qd[HUMANOID_NJ];
  simulation_open(&sim, name, WHOLE_BODY_MODELS "/humanoid.xml", joints, HUMANOID_NJ, 5);
  const simulation_frame pelvis = simulation_at(&sim, "pelvis");
  memcpy(home, pelvis.p, sizeof home);
  simulation_measure(&sim, start, qd);
}

/* Stiffness [N m/rad] and damping [N m s/rad] of the joints that no row moves: of arms, waist, neck;
 * 0: of the legs. */
static double stiffness(int j, double *damping) {
  const bool waist = j >= HUMANOID_WAIST_YAW_JOINT && j <= HUMANOID_WAIST_PITCH_JOINT;
  const bool wrist = strstr(joints[j], "wrist") || strstr(joints[j], "neck");
  const bool arm = strstr(joints[j], "shoulder") || strstr(joints[j], "elbow");
  *damping = waist ? 25 : wrist ? 0.3 : arm ? 3 : 0;
  return waist ? 300 : wrist ? 6 : arm ? 40 : 0;
}

static void cycle(const wish *w) {
  static humanoid_achd_in in;
  static humanoid_gravity_in still;
  humanoid_achd_out out;
  humanoid_gravity_out held;
  double row[SIMULATION_SIGNALS] = {0}, quat[4];
  const simulation_frame pelvis = simulation_at(&sim, "pelvis");
  simulation_measure(&sim, in.q, in.qd);
  simulation_quaternion(&sim, "pelvis", quat);
  in.base.quat = (humanoid_quaternion){quat[0], quat[1], quat[2], quat[3]};
  memcpy(in.base.twist.lin, pelvis.v, sizeof pelvis.v);
  memcpy(in.base.twist.ang, pelvis.w, sizeof pelvis.w);
  memcpy(still.q, in.q, sizeof still.q);
  still.base.quat = in.base.quat;
  humanoid_gravity(&still, &held);
  for (int j = 0; j < HUMANOID_NJ; j++) {
    double damping;
    const double k = stiffness(j, &damping);
    in.tau_art[j] = k > 0 ? held.tau[j] + k * (start[j] - in.q[j]) - damping * in.qd[j] : 0;
  }
  const double turned[9] = {cos(w->yaw), -sin(w->yaw), 0, sin(w->yaw), cos(w->yaw), 0, 0, 0, 1};
  const double turning[3] = {pelvis.w[0], pelvis.w[1], pelvis.w[2] - w->yaw_rate};
  simulation_servo(w->pelvis, w->speed, pelvis.p, pelvis.v, 200, 28, &in.b[HUMANOID_PELVIS_LIN_X]);
  simulation_servo_turn(turned, pelvis.R, turning, 300, 34, &in.b[HUMANOID_PELVIS_ANG_X]);
  const humanoid_status status = humanoid_achd(&in, &out);
  if (status & HUMANOID_DO_NOT_COMMAND) {
    printf("%s: status %u at %g s\n", sim.name, (unsigned)status, simulation_time(&sim));
    exit(1);
  }
  simulation_step(&sim, out.tau_ctrl);
  static double planted[2][3];
  for (int side = 0; side < 2; side++) {
    double force[3];
    const simulation_frame sole = simulation_at(&sim, side ? "right_sole" : "left_sole");
    simulation_contact(&sim, side ? "right_foot" : "left_foot", force);
    if (sim.cycle == 0) memcpy(planted[side], sole.p, sizeof planted[side]);
    row[LEFT + side] = force[2];
    row[SLIP] = fmax(row[SLIP], hypot(sole.p[0] - planted[side][0], sole.p[1] - planted[side][1]));
    row[LIFT] = fmax(row[LIFT], acos(fmin(1, sole.R[8])));
  }
  for (int i = 0; i < 3; i++) row[ERROR_X + i] = w->pelvis[i] - pelvis.p[i];
  row[TURN] = atan2(pelvis.R[3], pelvis.R[0]) - w->yaw;
  row[SCALE] = out.scale;
  row[PELVIS_Y] = pelvis.p[1], row[PELVIS_Z] = pelvis.p[2] - home[2];
  simulation_record(&sim, row, SIGNALS);
}

static void end(void) {
  printf("%s: errors %.1f %.1f %.1f mm, %.2f deg, soles slip by %.1f mm and tilt by %.2f deg, "
         "torque %.2f of the limit, at %.1f s\n",
         sim.name, 1e3 * simulation_largest(&sim, ERROR_X, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Y, 0, 1e9),
         1e3 * simulation_largest(&sim, ERROR_Z, 0, 1e9),
         57.3 * simulation_largest(&sim, TURN, 0, 1e9),
         1e3 * simulation_largest(&sim, SLIP, 0, 1e9),
         57.3 * simulation_largest(&sim, LIFT, 0, 1e9), sim.most_torque, simulation_time(&sim));
  if (folder) {
    char path[500];
    const plot_panel panels[PLOT_PANELS] = {
        {"m", {{"pelvis y", sim.record[PELVIS_Y]}, {"z from the start", sim.record[PELVIS_Z]}}},
        {"m", {{"error x", sim.record[0]}, {"y", sim.record[1]}, {"z", sim.record[2]}}},
        {"N", {{"load left", sim.record[LEFT]}, {"right", sim.record[RIGHT]}}},
        {"m", {{"slip of the soles", sim.record[SLIP]}}},
        {"rad",
         {{"tilt of the soles", sim.record[LIFT]}, {"pelvis: error of yaw", sim.record[TURN]}}},
        {"1", {{"scale", sim.record[SCALE]}}}};
    snprintf(path, sizeof path, "%s/humanoid_%s.svg", folder, sim.name);
    CHECK(plot_write(path, sim.name, sim.every * sim.model->opt.timestep, (size_t)sim.samples,
                     panels) == 0);
  }
  CHECK(sim.most_torque <= 1 + 1e-12);
  CHECK(simulation_largest(&sim, SLIP, 0, 1e9) < 0.005);
  CHECK(simulation_largest(&sim, LIFT, 0, 1e9) < 0.02);
  for (int i = 0; i < 3; i++) CHECK(simulation_largest(&sim, ERROR_X + i, 0, 1e9) < 0.008);
  simulation_close(&sim);
}

static double weight(void) {
  double m = 0;
  for (int k = 1; k < sim.model->nbody; k++) m += sim.model->body_mass[k];
  return 9.81 * m;
}

static void it_stands(void) {
  begin("stands");
  wish w = {.yaw = 0};
  memcpy(w.pelvis, home, sizeof home);
  while (simulation_time(&sim) < 1) cycle(&w);
  const int last = sim.samples - 1;
  CHECK_NEAR(sim.record[LEFT][last] + sim.record[RIGHT][last], weight(), 0.01 * weight());
  end();
}

static void it_sways(void) {
  begin("sways");
  const double rate = 2; /* rad/s */
  for (double t = 0; t < 6; t = simulation_time(&sim)) {
    wish w = {.yaw = 0};
    double grown;
    const double r = simulation_blend(t, 1, &grown), s = sin(rate * t), c = rate * cos(rate * t);
    memcpy(w.pelvis, home, sizeof home);
    w.pelvis[1] += 0.04 * r * s, w.speed[1] = 0.04 * (r * c + grown * s);
    w.pelvis[2] -= 0.03 * r, w.speed[2] = -0.03 * grown;
    w.yaw = 0.1 * r * s, w.yaw_rate = 0.1 * (r * c + grown * s);
    cycle(&w);
  }
  CHECK(simulation_largest(&sim, PELVIS_Y, 1, 6) > 0.038);
  CHECK(simulation_largest(&sim, LEFT, 1, 5) > 0.65 * weight()); /* from foot to foot */
  CHECK(simulation_largest(&sim, RIGHT, 1, 5) > 0.65 * weight());
  CHECK(simulation_largest(&sim, TURN, 0, 5) < 0.02);
  end();
}

static void without_torques_it_falls(void) {
  static const double none[HUMANOID_NJ] = {0};
  begin("falls");
  while (simulation_time(&sim) < 0.7) simulation_step(&sim, none);
  CHECK(simulation_at(&sim, "pelvis").p[2] < home[2] - 0.1);
  simulation_close(&sim);
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : NULL;
  RUN(it_stands);
  RUN(it_sways);
  RUN(without_torques_it_falls);
  return test_end();
}
