/* SPDX-License-Identifier: MIT */
/* platform.c: see achd/robif2b_kelo.h */
#include <achd/robif2b_kelo.h>

#include <math.h>
#include <string.h>

#ifdef ACHD_ROBIF2B_SIMULATED
#include "../simulated/device_time.h"
#else
#include "../clock.h"

#include <time.h>
#endif

static const double braking = 0.5;  /* after a DISABLE, until the motors are off [s] */
static const double at_rest = 0.05; /* velocity of a wheel [rad/s] */
static const double enabling = 1;   /* longest time until the motors are enabled [s] */

const char *achd_kelo_library(void) {
#ifdef ACHD_ROBIF2B_SIMULATED
  return "simulated";
#else
  return "real";
#endif
}

/* Of the world, or of the machine [s]. */
static double time_now(const achd_kelo *base) {
#ifdef ACHD_ROBIF2B_SIMULATED
  return achd_bus_time(base->bus.comm);
#else
  (void)base;
  return achd_clock();
#endif
}

/* ---- ports ---- */

/* A slave of the bus, and its process data: what it sends, and what it is sent. */
typedef struct slave {
  const char *name;
  unsigned product_code;
  int index; /* on the bus, from 1 */
  void *input;
  size_t input_size;
  const void *output;
  size_t output_size;
} slave;

static void expose(achd_kelo *base, const slave *s) {
  const int i = base->exposed++;
  base->slave_idx[i] = s->index;
  base->name[i] = s->name;
  base->product_code[i] = s->product_code;
  base->input[i] = s->input;
  base->input_size[i] = s->input_size;
  base->output[i] = s->output;
  base->output_size[i] = s->output_size;
}

/* The drives, and behind them the power board, if there is one. */
static void expose_slaves(achd_kelo *base, const achd_kelo_setup *setup) {
  for (int i = 0; i < base->drives; i++) {
    const slave drive = {.name = "KELOD105",
                         .product_code = 0x02001001,
                         .index = setup->slaves[i],
                         .input = &base->msr_pdo[i],
                         .input_size = sizeof base->msr_pdo[i],
                         .output = &base->cmd_pdo[i],
                         .output_size = sizeof base->cmd_pdo[i]};
    expose(base, &drive);
  }
  const slave board = {.name = "KELO_ROBILE",
                       .product_code = 0x02100101,
                       .index = setup->board,
                       .input = &base->board_msr_pdo,
                       .input_size = sizeof base->board_msr_pdo,
                       .output = &base->board_cmd_pdo,
                       .output_size = sizeof base->board_cmd_pdo};
  if (setup->board > 0) expose(base, &board);
}

static double or_else(double value, double usual) {
  return value > 0 ? value : usual;
}

static void set_up(achd_kelo *base, const achd_kelo_setup *setup) {
  memset(base, 0, sizeof *base);
  base->platform = *setup->platform;
  base->drives = setup->platform->drives;
  base->cycle_time = or_else(setup->cycle_time, 1e-3);
  base->driving_current = or_else(setup->driving_current, 20);
  expose_slaves(base, setup);
  for (int i = 0; i < base->drives; i++)
    base->offset[i] = setup->pivot_offsets ? setup->pivot_offsets[i] : 0;
  for (int k = 0; k < 2 * base->drives; k++) {
    base->most_current[k] = or_else(setup->stopping_current, 10);
    base->current_cmd[k] = base->most_current[k];
    base->torque_constant[k] = or_else(setup->torque_constant, 0.29);
  }
  base->bus =
      (struct robif2b_ethercat){.ethernet_if = setup->ethernet_if ? setup->ethernet_if : "net0",
                                .num_exposed_slaves = &base->exposed,
                                .slave_idx = base->slave_idx,
                                .name = base->name,
                                .product_code = base->product_code,
                                .input_size = base->input_size,
                                .output_size = base->output_size,
                                .error_code = &base->error,
                                .num_initial_slaves = &base->found,
                                .num_current_slaves = &base->active,
                                .input = base->input,
                                .output = base->output,
                                .is_connected = base->connected_slaves};
  base->encoder = (struct robif2b_kelo_drive_encoder){.num_drives = &base->drives,
                                                      .msr_pdo = base->msr_pdo,
                                                      .wheel_pos_msr = base->q,
                                                      .wheel_vel_msr = base->qd,
                                                      .pivot_pos_off = base->offset,
                                                      .pivot_pos_msr = base->angle,
                                                      .pivot_vel_msr = base->angle_rate};
  base->actuator = (struct robif2b_kelo_drive_actuator){.num_drives = &base->drives,
                                                        .cmd_pdo = base->cmd_pdo,
                                                        .ctrl_mode = base->mode,
                                                        .act_vel_cmd = base->velocity_cmd,
                                                        .act_trq_cmd = base->torque_cmd,
                                                        .act_cur_cmd = base->current_cmd,
                                                        .max_current = base->most_current,
                                                        .trq_const = base->torque_constant};
  base->board = (struct robif2b_kelo_power_board){.msr_pdo = &base->board_msr_pdo,
                                                  .cmd_pdo = &base->board_cmd_pdo,
                                                  .soc_msr = &base->charge,
                                                  .voltage_msr = &base->voltage,
                                                  .current_msr = &base->current,
                                                  .power_msr = &base->power};
}

/* ---- readings ---- */

/* Whether every drive has answered since the last read, with a reading that is newer. */
static bool all_answered(achd_kelo *base) {
  bool all = base->error == 0;
  for (int i = 0; i < base->drives; i++) {
    const uint64_t time = base->msr_pdo[i].sensor_ts;
    all = all && base->connected_slaves[i] && time > base->drive_time[i];
    base->drive_time[i] = time;
  }
  return all;
}

static bool is_healthy(unsigned status) {
  return status == 60 || status == 63 || status == 3; /* disabled; enabled, two kinds of firmware */
}

static void judge_drives(achd_kelo *base) {
  const unsigned both = STAT1_ENABLED1 | STAT1_ENABLED2;
  bool healthy = true, enabled = true;
  for (int i = 0; i < base->drives; i++) {
    const unsigned status = base->msr_pdo[i].status1;
    healthy = healthy && is_healthy(status);
    enabled = enabled && (status & both) == both;
  }
  base->enabled = base->enabled || (healthy && enabled);
  /* motors that switch off by themselves are a fault, too, also once they report to be healthy */
  base->fault = base->fault || !healthy || (base->enabled && !enabled);
}

static bool has_sane_readings(const achd_kelo *base, int drive) {
  const int right = 2 * drive, left = right + 1;
  return is_healthy(base->msr_pdo[drive].status1) &&
         isfinite(base->q[right] + base->q[left] + base->qd[right] + base->qd[left] +
                  base->angle[drive]);
}

/* Odometry by those drives that are healthy, now and in the reading before: the twist by the wheels'
 * velocities, the pose by what the wheels have turned since, also over a gap of readings. */
static void take_odometry(achd_kelo *base, double passed) {
  achd_real pivots[ACHD_KELO_DRIVES][2], angles[ACHD_KELO_DRIVES];
  achd_real rates[ACHD_KELO_WHEELS], turned[ACHD_KELO_WHEELS], moved[3];
  achd_platform part = base->platform;
  part.drives = 0;
  part.pivots = (const achd_real(*)[2])pivots;
  for (int i = 0; i < base->drives; i++) {
    const bool healthy = has_sane_readings(base, i);
    const int n = part.drives;
    if (healthy && base->was_healthy[i]) {
      pivots[n][0] = base->platform.pivots[i][0];
      pivots[n][1] = base->platform.pivots[i][1];
      angles[n] = base->angle[i];
      for (int side = 0; side < 2; side++) {
        const int to = 2 * n + side, from = 2 * i + side;
        rates[to] = base->qd[from];
        turned[to] = base->q[from] - base->q_before[from];
      }
      part.drives++;
    }
    base->was_healthy[i] = healthy;
  }
  memcpy(base->q_before, base->q, sizeof base->q_before);
  achd_platform_twist(&part, angles, rates, base->twist);
  if (base->stamp == 0 || !(passed > 0)) return;
  achd_platform_twist(&part, angles, turned, moved); /* in the time: a way */
  achd_platform_advance(base->pose, moved, 1);
}

static void take_reading(achd_kelo *base, double passed) {
  robif2b_kelo_drive_encoder_update(&base->encoder);
  if (base->exposed > base->drives) robif2b_kelo_power_board_update(&base->board);
  take_odometry(base, passed);
  judge_drives(base);
  base->stamp++;
  base->age = 0;
}

static void exchange(achd_kelo *base) {
  const double before = base->time;
  robif2b_ethercat_update(&base->bus);
  base->time = time_now(base);
  base->period = base->time - before;
  if (all_answered(base))
    take_reading(base, base->age + base->period);
  else
    base->age += base->period;
}

void achd_kelo_read(achd_kelo *base, achd_measurement *measured) {
  if (base->connected) {
    exchange(base);
  } else {
    base->period = base->cycle_time;
    base->age += base->cycle_time;
  }
  memset(measured, 0, sizeof *measured);
  for (int k = 0; k < 2 * base->drives && k < ACHD_LOOP_JOINTS; k++) {
    measured->q[k] = base->q[k];
    measured->qd[k] = base->qd[k];
  }
  measured->joints_stamp = measured->wrench_stamp = base->stamp;
  measured->joints_age = measured->wrench_age = base->age;
  measured->drives_fault = base->fault;
}

/* ---- for the loop's robot ---- */

/* Along the axes of the base's start, which the pose is with respect to. */
void achd_kelo_pose(const achd_kelo *base, achd_pose *pose, achd_twist *twist) {
  const double c = cos(base->pose[2]), s = sin(base->pose[2]);
  *pose = (achd_pose){{base->pose[0], base->pose[1], 0}, {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}};
  *twist = (achd_twist){
      {c * base->twist[0] - s * base->twist[1], s * base->twist[0] + c * base->twist[1], 0},
      {0, 0, base->twist[2]}};
}

/* F = m A b + f, M = I (A b)_yaw + m_yaw; then along the axes of the base. */
void achd_kelo_wrench(const achd_kelo *base, const achd_task_command *command, double mass,
                      double inertia, double wrench[3]) {
  const double c = cos(base->pose[2]), s = sin(base->pose[2]);
  achd_real linear[3], angular[3], b[6];
  for (int k = 0; k < 6; k++) b[k] = command->mask[k] * command->b[k];
  achd_rotate(&command->axes, b, linear);
  achd_rotate(&command->axes, b + 3, angular);
  const double x = mass * linear[0] + command->wrench.lin[0];
  const double y = mass * linear[1] + command->wrench.lin[1];
  wrench[0] = c * x + s * y;
  wrench[1] = c * y - s * x;
  wrench[2] = inertia * angular[2] + command->wrench.ang[2];
}

/* ---- commands ---- */

static double limited(double torque, double most) {
  return torque > most ? most : torque < -most ? -most : torque;
}

void achd_kelo_command_stop(achd_kelo *base) {
  base->disabled_for = 0;
  robif2b_kelo_drive_actuator_stop(&base->actuator);
}

void achd_kelo_command_torques(achd_kelo *base, const achd_real *torques) {
  for (int k = 0; k < 2 * base->drives; k++)
    if (!isfinite(torques[k])) {
      achd_kelo_command_stop(base);
      return;
    }
  for (int k = 0; k < 2 * base->drives; k++)
    base->torque_cmd[k] = limited(torques[k], base->driving_current * base->torque_constant[k]);
  for (int i = 0; i < base->drives; i++) base->mode[i] = ROBIF2B_CTRL_MODE_FORCE;
  base->disabled_for = 0;
  robif2b_kelo_drive_actuator_update(&base->actuator);
}

static void switch_off(achd_kelo *base) {
  memset(base->cmd_pdo, 0, sizeof base->cmd_pdo);
}

void achd_kelo_command(achd_kelo *base, const achd_loop *loop) {
  const double disabled_for = base->disabled_for + base->period;
  if (loop->mode == ACHD_LOOP_TORQUE) {
    achd_kelo_command_torques(base, loop->tau);
    return;
  }
  achd_kelo_command_stop(base);
  if (loop->mode != ACHD_LOOP_DISABLE) return;
  base->disabled_for = disabled_for;
  if (disabled_for > braking) switch_off(base);
}

void achd_kelo_recover(achd_kelo *base) {
  base->fault = base->enabled = false;
  achd_kelo_command_stop(base);
}

/* ---- the connection ---- */

static bool valid(const achd_kelo_setup *setup) {
  const achd_platform *p = setup->platform;
  return p && p->pivots && setup->slaves && p->drives > 0 && p->drives <= ACHD_KELO_DRIVES &&
         p->drive.radius > 0 && p->drive.distance > 0 && fabs(p->drive.offset) > 0;
}

/* Until the next cycle: a simulated bus advances its world in the exchange. */
static void wait_a_cycle(const achd_kelo *base) {
#ifdef ACHD_ROBIF2B_SIMULATED
  (void)base;
#else
  const struct timespec pause = {0, (long)(1e9 * base->cycle_time)};
  nanosleep(&pause, NULL);
#endif
}

/* Number of cycles in a time [s]. */
static int cycles_in(const achd_kelo *base, double time) {
  const double cycles = ceil(time / base->cycle_time);
  return cycles < 1e6 ? (int)cycles : 1000000;
}

static bool wait_until_enabled(achd_kelo *base) {
  const int most = cycles_in(base, enabling);
  for (int k = 0; k < most; k++) {
    achd_kelo_command_stop(base);
    exchange(base);
    if (base->error || (base->fault && base->enabled)) return false;
    if (base->enabled) return true;
    wait_a_cycle(base);
  }
  return false;
}

/* The drives brake, as long as the wheels turn and frames come back, for a while at most. */
static void brake(achd_kelo *base) {
  const int most = cycles_in(base, braking);
  for (int k = 0; k < most && base->error == 0; k++) {
    bool still = true;
    for (int w = 0; w < 2 * base->drives; w++) still = still && fabs(base->qd[w]) < at_rest;
    if (still) return;
    achd_kelo_command_stop(base);
    exchange(base);
    wait_a_cycle(base);
  }
}

bool achd_kelo_connect(achd_kelo *base, const achd_kelo_setup *setup) {
  if (!valid(setup)) {
    memset(base, 0, sizeof *base);
    base->cycle_time = 1e-3;
    return false;
  }
  set_up(base, setup);
  robif2b_ethercat_configure(&base->bus);
  if (base->error) return false;
  base->connected = true;
  robif2b_ethercat_start(&base->bus);
  if (!base->error) {
    base->time = time_now(base);
    if (wait_until_enabled(base)) {
      memset(base->pose, 0, sizeof base->pose);
      return true;
    }
  }
  const int error = base->error;
  achd_kelo_disconnect(base);
  base->error = error;
  return false;
}

void achd_kelo_disconnect(achd_kelo *base) {
  if (!base->connected) return;
  brake(base);
  robif2b_ethercat_stop(&base->bus);
  robif2b_ethercat_shutdown(&base->bus);
  base->connected = false;
}
