/* SPDX-License-Identifier: MIT */
/* gen3_test.c: the simulated Gen3 behind robif2b's functions: what is published, each mode, the order
 * of functions, the arm's own faults, faults that are injected, arguments that are wrong. */
#include "gen3_rig.h"

static const char address[] = "192.168.1.10";
static const double degree = 3.14159265358979323846 / 180;
static const double home[NJ] = {0, 15, 180, 230, 0, 55, 90}; /* [degree] */

/* The positions modulo 2 pi. */
static double apart(double a, double b) {
  return fabs(remainder(a - b, 360 * degree));
}

static double largest(const double *x) {
  double most = 0;
  for (int j = 0; j < NJ; j++) most = fmax(most, fabs(x[j]));
  return most;
}

/* ---- publishing ---- */

static void configure_publishes_the_arm_at_home(void) {
  rig r;
  double volt[NJ], arm_volt = 0, arm_current = 0, wrist[3];
  rig_wire(&r, address);
  r.b.jnt_volt_msr = volt, r.b.arm_volt_msr = &arm_volt, r.b.arm_cur_msr = &arm_current;
  r.b.icm_imu_lin_acc_msr = wrist;
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(r.success && r.error == ROBIF2B_KINOVA_NO_ERROR && r.b.comm != NULL);
  CHECK(r.b.ctrl_mode_prev == ROBIF2B_CTRL_MODE_VELOCITY);
  for (int j = 0; j < NJ; j++) {
    CHECK(apart(r.q[j], home[j] * degree) < 1e-12);
    CHECK(r.q[j] >= 0 && r.q[j] < 360 * degree); /* as the arm counts, not wrapped to -pi .. pi */
    CHECK(r.qd[j] == 0 && volt[j] > 23 && volt[j] < 23.6);
  }
  CHECK_NEAR(r.acceleration[2], 9.81, 1e-9);
  CHECK(fabs(r.acceleration[0]) < 1e-9 && fabs(r.acceleration[1]) < 1e-9 && largest(r.q) > 3);
  CHECK_NEAR(sqrt(wrist[0] * wrist[0] + wrist[1] * wrist[1] + wrist[2] * wrist[2]), 9.81, 1e-6);
  CHECK(arm_volt > 23 && arm_current > 0);
  CHECK(r.state == ROBIF2B_KINOVA_ARM_STATE_SERVOING_READY && r.fault == 0);
  /* Joint 2 leans forward: a positive torque would lift it, the reading has the opposite sign. */
  CHECK(fabs(r.tau[1]) > 5 && r.tau[1] * r.current[1] < 0);
  CHECK_NEAR(r.current[1] * 11.0, -r.tau[1], 1e-9);
  CHECK_NEAR(r.current[5] * 7.6, -r.tau[5], 1e-9);
  rig_end(&r);
}

static void torque_is_what_reaches_the_link(void) {
  rig r;
  world_of("model builtin:gen3\ndevice here gen3\n  friction 2 1 1 1 0.5 0.5 0.5\n  damping 0.3\n");
  rig_start(&r, "here");
  r.tau_cmd[0] = 8, r.tau_cmd[3] += 3, r.tau_cmd[6] = -2;
  for (int k = 0; k < 100; k++) {
    CHECK(rig_update(&r, 1) == 0);
    const mjData *d = rig_data(&r);
    double force[NJ];
    mj_mulM(rig_model(&r), d, force, d->qacc);
    for (int j = 0; j < NJ; j++) {
      /* M qdd + h, less what turns the rotor: MuJoCo's M has the rotors in it */
      const double rotor = j < 4 ? 0.5580 : 0.1389;
      const double link = force[j] - rotor * d->qacc[j] + d->qfrc_bias[j];
      CHECK_NEAR(-r.tau[j], link, 1e-5);
    }
    CHECK_NEAR(r.current[0], 8 / 11.0, 1e-12); /* the motor's own */
  }
  CHECK(r.qd[0] > 0.1 && fabs(r.tau[0]) < 6); /* 8 N m less friction and what turns the rotor */
  rig_end(&r);
  world_of(NULL);
}

static void sensors_turn_with_one_word(void) {
  rig r;
  world_of("model builtin:gen3\ndevice here gen3\n  imu down # as one stored sample has it\n");
  rig_start(&r, "here");
  CHECK_NEAR(r.acceleration[2], -9.81, 1e-9);
  rig_end(&r);
  world_of(NULL);
}

/* ---- modes ---- */

static void opposite_torque_holds_the_arm(void) {
  rig r;
  rig_start(&r, address);
  CHECK(rig_update(&r, 1000) == 0);
  CHECK(largest(r.qd) < 1e-6 && apart(r.q[1], home[1] * degree) < 1e-6 && r.fault == 0);
  CHECK(r.state == ROBIF2B_KINOVA_ARM_STATE_SERVOING_LOW_LEVEL);
  CHECK(r.b.ctrl_mode_prev == ROBIF2B_CTRL_MODE_FORCE);
  r.tau_cmd[0] = 1; /* a positive torque turns the joint forward */
  CHECK(rig_update(&r, 100) == 0 && r.qd[0] > 0.05);
  rig_end(&r);
}

static void current_is_torque_by_its_constant(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_CURRENT;
  CHECK(rig_update(&r, 500) == 0);
  CHECK(largest(r.qd) < 1e-6 && r.fault == 0);
  CHECK_NEAR(r.current[1], r.current_cmd[1], 1e-9);
  r.current_cmd[0] = 100; /* the drive gives 9.5 A */
  CHECK(rig_update(&r, 1) == 0);
  CHECK_NEAR(r.current[0], 9.5, 1e-9);
  rig_end(&r);
}

static void position_is_reached_and_held(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_POSITION;
  r.q_cmd[1] += 0.05, r.q_cmd[0] -= 0.04, r.q_cmd[6] += 0.04; /* joint 1 passes 0 */
  CHECK(rig_update(&r, 1000) == 0);
  for (int j = 0; j < NJ; j++) CHECK(apart(r.q[j], r.q_cmd[j]) < 1e-3);
  CHECK(r.q[0] > 6.2 && largest(r.qd) < 1e-3 && r.fault == 0);
  r.q_cmd[0] += 0.04 - 360 * degree; /* the same modulo 2 pi */
  CHECK(rig_update(&r, 1000) == 0 && apart(r.q[0], 0) < 1e-3 && r.fault == 0);
  /* along a ramp, 0.3 rad/s */
  for (int k = 0; k < 2000; k++) {
    r.q_cmd[3] += 0.3e-3;
    CHECK(rig_update(&r, 1) == 0);
    if (k > 500) CHECK(apart(r.q[3], r.q_cmd[3]) < 0.01 && fabs(r.qd[3] - 0.3) < 0.05);
  }
  CHECK(r.fault == 0);
  rig_end(&r);
}

static void velocity_is_followed_with_a_lag(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_VELOCITY;
  CHECK(rig_update(&r, 500) == 0 && apart(r.q[1], home[1] * degree) < 1e-4); /* holds at 0 */
  r.qd_cmd[0] = -0.3, r.qd_cmd[5] = 0.4;
  CHECK(rig_update(&r, 3) == 0 && r.qd[0] > -0.25 && r.qd[0] < -0.02);
  const double before = r.q[5];
  CHECK(rig_update(&r, 1000) == 0);
  CHECK_NEAR(r.qd[0], -0.3, 0.01);
  CHECK_NEAR(r.qd[5], 0.4, 0.01);
  CHECK_NEAR(r.q[5] - before, 0.4, 0.03);
  CHECK(apart(r.q[0], -0.3) < 0.03 && r.q[0] > 5); /* through 0, to below 2 pi */
  memset(r.qd_cmd, 0, sizeof r.qd_cmd);
  CHECK(rig_update(&r, 500) == 0 && largest(r.qd) < 1e-3 && r.fault == 0);
  r.cycle = 2e-3; /* the command is integrated over the cycle */
  const double time = rig_time(&r);
  r.qd_cmd[6] = 0.2;
  CHECK(rig_update(&r, 500) == 0);
  CHECK_NEAR(rig_time(&r) - time, 1, 1e-9);
  CHECK(r.qd[6] > 0.1 && r.qd[6] < 0.21);
  rig_end(&r);
}

static void modes_change_without_a_fault(void) {
  rig r;
  rig_start(&r, address);
  for (int k = 0; k < 40; k++) {
    r.mode = (enum robif2b_ctrl_mode)(k % 4);
    memcpy(r.q_cmd, r.q, sizeof r.q);
    CHECK(rig_update(&r, 25) == 0 && r.fault == 0 && r.b.ctrl_mode_prev == r.mode);
  }
  CHECK(apart(r.q[1], home[1] * degree) < 0.02);
  rig_end(&r);
}

static void gravity_is_compensated_where_the_world_says_so(void) {
  rig r;
  rig_start(&r, address);
  memset(r.tau_cmd, 0, sizeof r.tau_cmd);
  CHECK(rig_update(&r, 300) == 0 && apart(r.q[1], home[1] * degree) > 0.1); /* falls */
  rig_end(&r);
  world_of("model builtin:gen3\ndevice here gen3\n  gravity_compensation on\n");
  rig_start(&r, "here");
  memset(r.tau_cmd, 0, sizeof r.tau_cmd);
  CHECK(rig_update(&r, 1000) == 0 && apart(r.q[1], home[1] * degree) < 1e-6);
  rig_end(&r);
  world_of(NULL);
}

/* ---- order of functions ---- */

/* robif2b's example, step by step: 3000 cycles of zero torque; the arm falls, and nothing fails. */
static void the_published_example_runs_to_its_end(void) {
  rig r;
  rig_wire(&r, address);
  r.b.conf =
      (struct robif2b_kinova_gen3_config){address, 10000, 10001, "admin", "admin", 60000, 2000};
  r.b.fault_flags = r.b.warning_flags = r.b.jnt_fault_flags = r.b.jnt_warning_flags = NULL;
  r.b.arm_state = NULL, r.b.error = NULL;
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(r.success);
  robif2b_kinova_gen3_recover(&r.b);
  CHECK(r.success);
  robif2b_kinova_gen3_start(&r.b);
  CHECK(r.success);
  for (int i = 0; i < 3000; i++) {
    robif2b_kinova_gen3_update(&r.b);
    CHECK(r.success);
    if (i % 100 == 0) usleep(1000);
  }
  CHECK_NEAR(rig_time(&r), 3, 1e-9);
  CHECK(apart(r.q[1], home[1] * degree) > 0.2 && largest(r.qd) < 1e-3); /* fell, and is held */
  CHECK(achd_arm_flags(rig_arm(&r), false) == 16);
  rig_end(&r);
}

static void functions_out_of_order_fail(void) {
  rig r;
  rig_wire(&r, address);
  CHECK(rig_update(&r, 1) == 1);
  robif2b_kinova_gen3_recover(&r.b);
  CHECK(!r.success && r.error == ROBIF2B_KINOVA_ERR_CONNECTION);
  robif2b_kinova_gen3_start(&r.b);
  CHECK(!r.success);
  robif2b_kinova_gen3_stop(&r.b);
  CHECK(!r.success);
  robif2b_kinova_gen3_shutdown(&r.b);
  CHECK(!r.success);
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(r.success);
  CHECK(rig_update(&r, 1) == 1 && r.error == ROBIF2B_KINOVA_ERR_SERVOING_MODE);
  void *const comm = r.b.comm;
  robif2b_kinova_gen3_configure(&r.b); /* it is connected: the connection stays */
  CHECK(!r.success && r.b.comm == comm);
  rig other;
  rig_wire(&other, address);
  robif2b_kinova_gen3_configure(&other.b); /* by another program part */
  CHECK(!other.success && other.b.comm == NULL);
  robif2b_kinova_gen3_start(&r.b);
  CHECK(rig_update(&r, 5) == 0);
  robif2b_kinova_gen3_stop(&r.b);
  CHECK(r.success && rig_update(&r, 1) == 1);
  robif2b_kinova_gen3_start(&r.b);
  CHECK(rig_update(&r, 5) == 0);
  const struct robif2b_kinova_gen3_nbx copy = r.b;
  rig_end(&r);
  robif2b_kinova_gen3_shutdown(&r.b);
  CHECK(!r.success);
  r.b = copy; /* a handle that was released */
  CHECK(rig_update(&r, 1) == 1);
  robif2b_kinova_gen3_shutdown(&r.b);
  CHECK(!r.success);
}

static void a_failed_configure_can_be_shut_down(void) {
  rig r;
  rig_wire(&r, "192.168.1.99");
  r.b.comm = (struct robif2b_kinova_gen3_comm *)&r; /* whatever stood there */
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(!r.success && r.b.comm == NULL && r.error == ROBIF2B_KINOVA_ERR_CONNECTION);
  robif2b_kinova_gen3_shutdown(&r.b);
  CHECK(!r.success);
  rig_wire(&r, NULL);
  robif2b_kinova_gen3_configure(&r.b);
  CHECK(!r.success);
}

static void stop_holds_the_arm(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_VELOCITY;
  r.qd_cmd[0] = 1, r.qd_cmd[1] = 0.8;
  CHECK(rig_update(&r, 500) == 0 && r.qd[0] > 0.9);
  const double q0 = r.q[0], q1 = r.q[1], time = rig_time(&r);
  robif2b_kinova_gen3_stop(&r.b);
  CHECK(r.success && rig_time(&r) == time); /* does not sleep */
  rig_wait(&r, 1);
  const mjData *d = rig_data(&r);
  CHECK(fabs(d->qvel[0]) < 1e-3 && fabs(d->qvel[1]) < 1e-3);
  /* v^2 / (2 a), a above 10 rad/s^2 */
  CHECK(d->qpos[0] - q0 < 0.06 && d->qpos[1] - q1 < 0.06 && d->qpos[0] > q0);
  robif2b_kinova_gen3_shutdown(&r.b);
}

static void an_unknown_mode_stops_the_arm(void) {
  rig r;
  rig_start(&r, address);
  CHECK(rig_update(&r, 10) == 0);
  r.mode = (enum robif2b_ctrl_mode)7;
  const unsigned frame = rig_arm(&r)->frame;
  CHECK(rig_update(&r, 1) == 1 && r.error == ROBIF2B_KINOVA_ERR_CTRL_MODE);
  CHECK(r.b.ctrl_mode_prev == ROBIF2B_CTRL_MODE_FORCE && rig_arm(&r)->frame == frame);
  CHECK(rig_update(&r, 3) == 3);
  r.mode = ROBIF2B_CTRL_MODE_FORCE;
  CHECK(rig_update(&r, 1) == 1); /* stopped: it has to be started again */
  rig_wait(&r, 0.2);
  CHECK(fabs(rig_data(&r)->qvel[1]) < 1e-6);
  robif2b_kinova_gen3_start(&r.b);
  CHECK(rig_update(&r, 10) == 0);
  r.mode = (enum robif2b_ctrl_mode) - 1;
  CHECK(rig_update(&r, 1) == 1);
  robif2b_kinova_gen3_shutdown(&r.b);
}

/* ---- the arm's own faults: success stays true, the arm holds until it recovers ---- */

static void check_held(rig *r, int joint, uint32_t bit) {
  CHECK(r->fault == 16 && (r->faults[joint] & bit) &&
        r->state == ROBIF2B_KINOVA_ARM_STATE_IN_FAULT);
  CHECK(rig_update(r, 1000) == 0 && largest(r->qd) < 1e-3);
  const double q = r->q[joint];
  r->qd_cmd[joint] = r->tau_cmd[joint] = 1; /* not obeyed */
  CHECK(rig_update(r, 100) == 0 && apart(r->q[joint], q) < 1e-4);
}

/* Recovered, it obeys again. */
static void check_recovers(rig *r) {
  robif2b_kinova_gen3_recover(&r->b);
  CHECK(r->success && r->fault == 0);
  r->mode = ROBIF2B_CTRL_MODE_VELOCITY;
  memset(r->qd_cmd, 0, sizeof r->qd_cmd);
  r->qd_cmd[6] = 0.2;
  CHECK(rig_update(r, 300) == 0 && r->fault == 0 && r->qd[6] > 0.15);
  CHECK(r->state == ROBIF2B_KINOVA_ARM_STATE_SERVOING_LOW_LEVEL);
}

static void a_position_too_far_away_is_a_following_error(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_POSITION;
  r.q_cmd[2] += 3.5 * degree;
  CHECK(rig_update(&r, 1) == 0 && r.fault == 0 && r.warnings[2] == 1 && r.warning == 16);
  CHECK(rig_update(&r, 500) == 0 && r.warnings[2] == 0);
  r.q_cmd[2] += 5.5 * degree;
  CHECK(rig_update(&r, 1) == 0);
  check_held(&r, 2, 1);
  check_recovers(&r);
  rig_end(&r);
}

static void a_joint_that_is_too_fast_is_a_fault(void) {
  rig r;
  rig_start(&r, address);
  r.tau_cmd[0] = 20;
  int k = 0;
  while (k < 1000 && r.fault == 0) CHECK(rig_update(&r, 1) == 0), k++;
  CHECK(k > 10 && k < 1000 && r.qd[0] > 115 * degree && r.qd[0] < 125 * degree);
  check_held(&r, 0, 2);
  check_recovers(&r);
  rig_end(&r);
}

static void a_torque_that_is_too_large_is_a_fault(void) {
  rig r;
  rig_start(&r, address);
  r.tau_cmd[6] = 40; /* above the warning, 29.4 N m */
  CHECK(rig_update(&r, 1) == 0 && (r.warnings[6] & 32) && r.fault == 0);
  r.tau_cmd[6] = 60;
  CHECK(rig_update(&r, 1) == 0);
  check_held(&r, 6, 32);
  CHECK(largest(rig_data(&r)->qvel) < 1e-3);
  check_recovers(&r);
  rig_end(&r);
}

static void a_position_limit_is_a_fault(void) {
  rig r;
  rig_start(&r, address);
  r.mode = ROBIF2B_CTRL_MODE_VELOCITY;
  r.qd_cmd[5] = 1; /* joint 6 from 55 to 120.3 degrees; the URDF's stop is at 119.75 */
  CHECK(rig_update(&r, 1100) == 0);
  rig_end(&r);
  world_of("model builtin:gen3\ndevice here gen3\n  lower -9 -9 -9 -9 -9 -1.6 -9\n  upper 9 9 9 9 "
           "9 1.6 9\n");
  rig_start(&r, "here");
  r.mode = ROBIF2B_CTRL_MODE_VELOCITY;
  r.qd_cmd[5] = 1;
  CHECK(rig_update(&r, 1000) == 0 && r.q[5] < 1.7);
  check_held(&r, 5, 4);
  check_recovers(&r);
  r.qd_cmd[5] = -0.5; /* back */
  CHECK(rig_update(&r, 1000) == 0 && r.fault == 0 && r.q[5] < 1.4);
  r.qd_cmd[5] = 0.5; /* and out again */
  CHECK(rig_update(&r, 2000) == 0 && (r.faults[5] & 4));
  rig_end(&r);
  world_of(NULL);
}

/* In torque control the position command follows the measurement; when frames stay away it does not,
 * and the falling arm is caught. */
static void frames_that_stay_away_end_in_a_following_error(void) {
  rig r;
  rig_start(&r, address);
  memset(r.tau_cmd, 0, sizeof r.tau_cmd);
  CHECK(rig_update(&r, 50) == 0);
  rig_wait(&r, 2);
  CHECK(rig_update(&r, 1) == 0 && (r.faults[1] & 1) && largest(r.qd) < 1e-3);
  CHECK(apart(r.q[1], home[1] * degree) < 0.25);
  rig_end(&r);
}

/* ---- injected faults ---- */

static void lost_frames_fail_and_the_last_command_acts_on(void) {
  rig r;
  rig_start(&r, address);
  r.tau_cmd[0] = 2;
  CHECK(rig_update(&r, 20) == 0);
  const double q = r.q[0], qd = r.qd[0], time = rig_time(&r);
  const unsigned frame = rig_arm(&r)->frame;
  CHECK(rig_inject(&r, "lost_frame", 3e-3, 0, 0));
  r.tau_cmd[0] = -50;
  CHECK(rig_update(&r, 3) == 3 && r.error == ROBIF2B_KINOVA_ERR_WRITE);
  CHECK(r.q[0] == q && r.qd[0] == qd); /* ports keep what they had */
  CHECK_NEAR(rig_time(&r) - time, 3e-3, 1e-12);
  CHECK(rig_arm(&r)->frame == frame + 3 && rig_data(&r)->qvel[0] > qd);
  r.tau_cmd[0] = 0;
  CHECK(rig_update(&r, 1) == 0 && r.q[0] > q);
  rig_end(&r);
}

static void a_late_frame_takes_more_time(void) {
  rig r;
  rig_start(&r, address);
  CHECK(rig_inject(&r, "late_frame", 1e-4, 0, 0.02));
  CHECK(rig_update(&r, 1) == 0);
  CHECK_NEAR(rig_time(&r), 0.021, 1e-12);
  CHECK(rig_update(&r, 1) == 0);
  CHECK_NEAR(rig_time(&r), 0.022, 1e-12);
  rig_end(&r);
}

static void sensors_stick_and_die(void) {
  rig r;
  rig_start(&r, address);
  r.tau_cmd[0] = 3, r.tau_cmd[6] = 1;
  CHECK(rig_update(&r, 50) == 0);
  const double q = r.q[0], other = r.q[6];
  CHECK(rig_inject(&r, "stuck", 0.05, 1, 0));
  CHECK(rig_update(&r, 50) == 0 && r.q[0] == q && r.q[6] > other);
  CHECK(rig_update(&r, 1) == 0 && r.q[0] > q);
  CHECK(rig_inject(&r, "nan", 0.01, 3, 0));
  CHECK(rig_update(&r, 10) == 0 && isnan(r.q[2]) && isnan(r.qd[2]) && isfinite(r.q[1]));
  CHECK(rig_update(&r, 1) == 0 && isfinite(r.q[2]));
  CHECK(rig_inject(&r, "nan", 0.01, 0, 0));
  CHECK(rig_update(&r, 1) == 0 && isnan(r.q[0]) && isnan(r.q[6]));
  CHECK(!rig_inject(&r, "nonsense", 1, 0, 0));
  rig_end(&r);
}

static void every_fault_of_the_arm_can_be_injected(void) {
  static const struct {
    const char *word;
    uint32_t bit;
  } faults[] = {
      {"following_error", 1}, {"max_velocity", 2}, {"joint_limit", 4}, {"max_torque", 32}};
  for (int f = 0; f < 4; f++) {
    char text[200];
    rig r;
    snprintf(text, sizeof text, "model builtin:gen3\ndevice here gen3\n  fault %s 0.1 0.001 %d\n",
             faults[f].word, 3 + f);
    world_of(text);
    rig_start(&r, "here");
    CHECK(rig_update(&r, 100) == 0 && r.fault == 0);
    CHECK(rig_update(&r, 2) == 0);
    check_held(&r, 2 + f, faults[f].bit);
    check_recovers(&r);
    rig_end(&r);
  }
  world_of(NULL);
}

/* ---- arguments ---- */

static void commands_that_are_no_numbers_are_not_sent(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int mode = 0; mode < 4; mode++)
    for (int k = 0; k < 3; k++) {
      rig r;
      rig_start(&r, address);
      CHECK(rig_update(&r, 5) == 0);
      r.mode = (enum robif2b_ctrl_mode)mode;
      memcpy(r.q_cmd, r.q, sizeof r.q);
      CHECK(rig_update(&r, 5) == 0);
      r.q_cmd[3] = r.qd_cmd[3] = r.tau_cmd[3] = r.current_cmd[3] = bad[k];
      CHECK(rig_update(&r, 100) == 100);
      CHECK(fabs(rig_data(&r)->qvel[3]) < 0.05);
      rig_end(&r);
    }
}

static void ports_that_are_missing_fail(void) {
  rig r;
  for (int port = 0; port < 6; port++) {
    rig_wire(&r, address);
    double **const ports[] = {&r.b.jnt_pos_msr, &r.b.jnt_vel_msr,     &r.b.jnt_trq_msr,
                              &r.b.act_cur_msr, &r.b.imu_ang_vel_msr, &r.b.imu_lin_acc_msr};
    double *const given = *ports[port];
    *ports[port] = NULL;
    robif2b_kinova_gen3_configure(&r.b);
    CHECK(!r.success);
    *ports[port] = given;
    rig_start(&r, address);
    double **const now[] = {&r.b.jnt_pos_msr, &r.b.jnt_vel_msr,     &r.b.jnt_trq_msr,
                            &r.b.act_cur_msr, &r.b.imu_ang_vel_msr, &r.b.imu_lin_acc_msr};
    *now[port] = NULL;
    CHECK(rig_update(&r, 1) == 1);
    robif2b_kinova_gen3_shutdown(&r.b);
  }
  rig_start(&r, address);
  r.b.jnt_pos_cmd = r.b.jnt_vel_cmd = r.b.act_cur_cmd = NULL; /* not those of the mode */
  CHECK(rig_update(&r, 5) == 0);
  r.b.jnt_trq_cmd = NULL;
  CHECK(rig_update(&r, 1) == 1);
  r.b.jnt_trq_cmd = r.tau_cmd;
  r.b.cycle_time = NULL; /* older programs: 1 ms */
  const double time = rig_time(&r);
  CHECK(rig_update(&r, 10) == 0);
  CHECK_NEAR(rig_time(&r) - time, 0.01, 1e-12);
  r.b.ctrl_mode = NULL;
  CHECK(rig_update(&r, 1) == 1);
  r.b.success = NULL;
  robif2b_kinova_gen3_update(&r.b);
  robif2b_kinova_gen3_update(NULL);
  robif2b_kinova_gen3_configure(NULL);
  robif2b_kinova_gen3_shutdown(NULL);
  r.b.success = &r.success;
  robif2b_kinova_gen3_shutdown(&r.b);
  CHECK(r.success);
}

static void cycle_times_that_are_no_times_fail(void) {
  static const double bad[] = {NAN, INFINITY, -1e-3, 5};
  rig r;
  rig_start(&r, address);
  for (int k = 0; k < 4; k++) {
    r.cycle = bad[k];
    const double time = rig_time(&r);
    CHECK(rig_update(&r, 1) == 1 && rig_time(&r) == time);
  }
  r.cycle = 1e-3;
  CHECK(rig_update(&r, 500) == 0 && r.fault == 0);
  r.cycle = 0; /* no time passes */
  CHECK(rig_update(&r, 5) == 0);
  r.cycle = 0.7e-3;
  CHECK(rig_update(&r, 5) == 0);
  CHECK_NEAR(rig_time(&r), 0.5035, 1e-9);
  rig_end(&r);
}

static void frames_are_counted_to_65535(void) {
  rig r;
  rig_start(&r, address);
  CHECK(rig_arm(&r)->frame == 0 && rig_update(&r, 3) == 0 && rig_arm(&r)->frame == 3);
  rig_arm(&r)->frame = 65534;
  CHECK(rig_update(&r, 1) == 0 && rig_arm(&r)->frame == 65535);
  CHECK(rig_update(&r, 1) == 0 && rig_arm(&r)->frame == 0);
  rig_end(&r);
}

static void the_grippers_ports_follow_their_command(void) {
  rig r;
  double volt[NJ], position = -1, command = 40;
  bool success = true;
  struct robif2b_kinova_gen3_gripper_nbx g = {.act_vol_msr = volt,
                                              .gripper_pos_msr = &position,
                                              .gripper_pos_cmd = &command,
                                              .success = &success};
  robif2b_kinova_gen3_gripper_update(&g);
  CHECK(!success);
  rig_start(&r, address);
  g.comm = r.b.comm;
  robif2b_kinova_gen3_gripper_update(&g);
  CHECK(success && position == 0 && volt[6] > 23);
  CHECK(rig_update(&r, 200) == 0);
  robif2b_kinova_gen3_gripper_update(&g);
  CHECK(position > 15 && position < 25);
  CHECK(rig_update(&r, 1000) == 0);
  robif2b_kinova_gen3_gripper_update(&g);
  CHECK_NEAR(position, 40, 1e-12);
  command = NAN;
  robif2b_kinova_gen3_gripper_update(&g);
  CHECK(!success);
  rig_end(&r);
}

static void a_gripper_behind_the_arm_moves_at_its_speed(void) {
  rig r;
  float position = -1, velocity = -1, current = -1, goal = 50, speed = 20, force = 10;
  bool success = true;
  struct robif2b_kg3_robotiq_gripper_nbx g = {&position, &velocity, &current, &goal,
                                              &speed,    &force,    &success, NULL};
  rig_wire(&r, address);
  robif2b_kg3_robotiq_gripper_configure(&g, &r.b);
  CHECK(!success && !g.comm);
  robif2b_kinova_gen3_configure(&r.b);
  robif2b_kg3_robotiq_gripper_configure(&g, &r.b);
  CHECK(success && g.comm == r.b.comm);
  robif2b_kg3_robotiq_gripper_start(&g); /* only in low-level control */
  CHECK(!success);
  robif2b_kinova_gen3_start(&r.b);
  robif2b_kg3_robotiq_gripper_start(&g);
  CHECK(success);
  for (int k = 0; k <= 1000; k++) {
    robif2b_kg3_robotiq_gripper_update(&g);
    CHECK(success);
    rig_update(&r, 1);
  }
  CHECK_NEAR(position, 20, 1e-3);
  CHECK_NEAR(velocity, 20, 1e-3);
  goal = NAN;
  robif2b_kg3_robotiq_gripper_update(&g);
  CHECK(!success);
  robif2b_kg3_robotiq_gripper_stop(&g);
  CHECK(success);
  rig_end(&r);
  robif2b_kg3_robotiq_gripper_update(&g);
  CHECK(!success);
}

/* The same to the bit, each time. */
static void runs_repeat(void) {
  double end[2][NJ];
  for (int k = 0; k < 2; k++) {
    rig r;
    rig_start(&r, address);
    for (int i = 0; i < 500; i++) {
      r.tau_cmd[i % NJ] += 0.3 * sin(i);
      CHECK(rig_update(&r, 1) == 0);
    }
    memcpy(end[k], r.q, sizeof r.q);
    rig_end(&r);
  }
  CHECK(memcmp(end[0], end[1], sizeof end[0]) == 0);
}

int main(void) {
  RUN(configure_publishes_the_arm_at_home);
  RUN(torque_is_what_reaches_the_link);
  RUN(sensors_turn_with_one_word);
  RUN(opposite_torque_holds_the_arm);
  RUN(current_is_torque_by_its_constant);
  RUN(position_is_reached_and_held);
  RUN(velocity_is_followed_with_a_lag);
  RUN(modes_change_without_a_fault);
  RUN(gravity_is_compensated_where_the_world_says_so);
  RUN(the_published_example_runs_to_its_end);
  RUN(functions_out_of_order_fail);
  RUN(a_failed_configure_can_be_shut_down);
  RUN(stop_holds_the_arm);
  RUN(an_unknown_mode_stops_the_arm);
  RUN(a_position_too_far_away_is_a_following_error);
  RUN(a_joint_that_is_too_fast_is_a_fault);
  RUN(a_torque_that_is_too_large_is_a_fault);
  RUN(a_position_limit_is_a_fault);
  RUN(frames_that_stay_away_end_in_a_following_error);
  RUN(lost_frames_fail_and_the_last_command_acts_on);
  RUN(a_late_frame_takes_more_time);
  RUN(sensors_stick_and_die);
  RUN(every_fault_of_the_arm_can_be_injected);
  RUN(commands_that_are_no_numbers_are_not_sent);
  RUN(ports_that_are_missing_fail);
  RUN(cycle_times_that_are_no_times_fail);
  RUN(frames_are_counted_to_65535);
  RUN(the_grippers_ports_follow_their_command);
  RUN(a_gripper_behind_the_arm_moves_at_its_speed);
  RUN(runs_repeat);
  return test_end();
}
