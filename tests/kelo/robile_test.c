/* SPDX-License-Identifier: MIT */
/* robile_test.c: the simulated Robile behind robif2b's functions: what its published example does, step by
 * step; what the drives do in each mode, against the truth of the world; faults; how long an update
 * takes. */
#include <robif2b/functions/ethercat.h>
#include <robif2b/functions/kelo_drive.h>
#include <robif2b/functions/kelo_power_board.h>

#include "mujoco_world.h"

#include <stdlib.h>
#include <time.h>

#include "test.h"

enum { DRIVES = 2, EXPOSED = 3 };

/* The ports of the example. */
static struct {
  int drives;
  struct robif2b_kelo_drive_api_msr_pdo msr[DRIVES];
  struct robif2b_kelo_drive_api_cmd_pdo cmd[DRIVES];
  struct robif2b_kelo_power_board_api_msr_pdo board_msr;
  struct robif2b_kelo_power_board_api_cmd_pdo board_cmd;
  int error, exposed, found, active, index[EXPOSED];
  const char *name[EXPOSED];
  unsigned code[EXPOSED];
  size_t in[EXPOSED], out[EXPOSED];
  bool connected[EXPOSED];
  void *input[EXPOSED];
  const void *output[EXPOSED];
  double offset[DRIVES], pivot[DRIVES], pivot_vel[DRIVES], pos[2 * DRIVES], vel[2 * DRIVES];
  double gyro[3 * DRIVES], accel[3 * DRIVES];
  enum robif2b_ctrl_mode mode[DRIVES];
  double vel_cmd[2 * DRIVES], trq_cmd[2 * DRIVES], cur_cmd[2 * DRIVES];
  double max_current[2 * DRIVES], trq_const[2 * DRIVES];
  int soc;
  double volt, amps, watts;
} s;
static struct robif2b_ethercat master;
static struct robif2b_kelo_drive_encoder encoder;
static struct robif2b_kelo_drive_imu imu;
static struct robif2b_kelo_drive_actuator wheels;
static struct robif2b_kelo_power_board board;

static void connect_ports(void) {
  memset(&s, 0, sizeof s);
  s.drives = DRIVES;
  s.exposed = EXPOSED;
  s.index[0] = 1, s.index[1] = 3, s.index[2] = 5;
  s.name[0] = "KELO_ROBILE", s.code[0] = 0x02100101, s.in[0] = 68, s.out[0] = 12;
  s.input[0] = &s.board_msr, s.output[0] = &s.board_cmd;
  for (int i = 0; i < DRIVES; i++) {
    s.name[i + 1] = "KELOD105", s.code[i + 1] = 0x02001001, s.in[i + 1] = 172, s.out[i + 1] = 36;
    s.input[i + 1] = &s.msr[i], s.output[i + 1] = &s.cmd[i];
    s.mode[i] = ROBIF2B_CTRL_MODE_FORCE;
    for (int m = 0; m < 2; m++) s.max_current[2 * i + m] = 10, s.trq_const[2 * i + m] = 0.29;
  }
  s.offset[0] = 1.523339, s.offset[1] = 2.399158;
  master = (struct robif2b_ethercat){.ethernet_if = "net0",
                                     .num_exposed_slaves = &s.exposed,
                                     .slave_idx = s.index,
                                     .name = s.name,
                                     .product_code = s.code,
                                     .input_size = s.in,
                                     .output_size = s.out,
                                     .error_code = &s.error,
                                     .num_initial_slaves = &s.found,
                                     .num_current_slaves = &s.active,
                                     .input = s.input,
                                     .output = s.output,
                                     .is_connected = s.connected};
  encoder = (struct robif2b_kelo_drive_encoder){&s.drives, s.msr,   s.pos,      s.vel,
                                                s.offset,  s.pivot, s.pivot_vel};
  imu = (struct robif2b_kelo_drive_imu){&s.drives, s.msr, s.gyro, s.accel};
  wheels = (struct robif2b_kelo_drive_actuator){&s.drives, s.cmd,     s.mode,        s.vel_cmd,
                                                s.trq_cmd, s.cur_cmd, s.max_current, s.trq_const};
  board = (struct robif2b_kelo_power_board){&s.board_msr, &s.board_cmd, &s.soc,
                                            &s.volt,      &s.amps,      &s.watts};
}

static void cycle(void) {
  robif2b_ethercat_update(&master);
  robif2b_kelo_drive_encoder_update(&encoder);
  robif2b_kelo_drive_imu_update(&imu);
  robif2b_kelo_drive_actuator_update(&wheels);
  robif2b_kelo_power_board_update(&board);
}

static void begin(void) {
  connect_ports();
  robif2b_ethercat_configure(&master);
  CHECK(s.error == 0 && s.found == 5 && s.active == 5);
  robif2b_ethercat_start(&master);
  CHECK(s.error == 0);
}

static void finish(void) {
  robif2b_kelo_drive_actuator_stop(&wheels);
  robif2b_ethercat_stop(&master);
  CHECK(s.error == 0);
  robif2b_ethercat_shutdown(&master);
  CHECK(s.error == 0);
}

/* The truth: pose of the base in the world. */
static const mjData *truth(void) {
  achd_world_lock();
  achd_world_device *device = achd_world_find("net0");
  const mjData *data = device ? achd_world_data(device) : NULL;
  achd_world_unlock();
  return data;
}
static double joint(const char *name, bool rate) {
  const mjModel *m = achd_world_model(achd_world_find("net0"));
  const int id = mj_name2id(m, mjOBJ_JOINT, name);
  CHECK(id >= 0);
  return rate ? truth()->qvel[m->jnt_dofadr[id]] : truth()->qpos[m->jnt_qposadr[id]];
}
static bool inject(const char *fault, double duration, int slave) {
  achd_world_lock();
  const bool good = achd_world_inject(achd_world_find("net0"), fault, duration, slave, 0);
  achd_world_unlock();
  return good;
}

/* The example: zero torque, 3000 of its endless cycles. Nothing moves; all that it prints is there. */
static void the_published_example(void) {
  begin();
  uint64_t before[3] = {0, 0, 0};
  for (int k = 0; k < 3000; k++) {
    cycle();
    CHECK(s.error == 0 && s.active == 9);
    CHECK(s.connected[0] && s.connected[1] && s.connected[2]);
    CHECK(s.msr[0].sensor_ts > before[0] && s.msr[1].imu_ts > before[1]);
    CHECK(s.msr[0].setpoint_ts >= before[2] && s.msr[0].setpoint_ts <= s.msr[0].sensor_ts);
    before[0] = s.msr[0].sensor_ts, before[1] = s.msr[1].imu_ts, before[2] = s.msr[0].setpoint_ts;
    for (int i = 0; i < DRIVES; i++) {
      const unsigned status = s.msr[i].status1;
      CHECK(s.msr[i].status2 == 2051 && (status == 60 || status == 63));
      if (k >= 500) CHECK(status == 63);
      CHECK(s.pivot[i] >= 0 && s.pivot[i] < 6.2832);
      CHECK(fabs(remainder(s.pivot[i], 2 * M_PI)) < 1e-3);
      if (k >= 100) CHECK(fabs(s.vel[2 * i]) < 0.05 && fabs(s.vel[2 * i + 1]) < 0.05); /* settled */
    }
  }
  CHECK(s.msr[0].status1 == 63 && s.cmd[0].command1 == 3);
  CHECK_NEAR((double)s.msr[1].encoder_pivot, 2.399158, 2e-3);
  CHECK_NEAR(s.accel[2], 9.81, 0.05); /* still, up */
  CHECK(fabs(s.accel[0]) < 0.05 && fabs(s.gyro[2]) < 0.01);
  CHECK(s.volt == 24 && s.soc == 79 && fabs(s.watts - 36) < 0.1 && fabs(s.amps - 1.5) < 0.01);
  CHECK(fabs(truth()->qpos[0]) < 1e-3 && fabs(truth()->qpos[1]) < 1e-3);
  finish();
}

/* The robot's weight stands on the floor: 49.4 kg, and its base is level. */
static void it_stands(void) {
  begin();
  for (int k = 0; k < 1000; k++) cycle();
  double force = 0;
  for (int c = 0; c < truth()->ncon; c++) {
    mjtNum f[6];
    mj_contactForce(achd_world_model(achd_world_find("net0")), truth(), c, f);
    force += f[0];
  }
  CHECK_NEAR(force, 49.422 * 9.81, 1);
  CHECK(fabs(truth()->qpos[2]) < 2e-3 && truth()->ncon == 6);
  CHECK(fabs(truth()->qpos[4]) < 2e-3 && fabs(truth()->qpos[5]) < 2e-3);
  finish();
}

/* A command that is set after an update goes out with the next one, and is obeyed in the cycle after
 * it. */
static void commands_are_one_cycle_late(void) {
  begin();
  for (int k = 0; k < 300; k++) cycle();
  const float before = s.msr[0].current_1_q;
  for (int i = 0; i < 4; i++) s.trq_cmd[i] = 0.29;
  robif2b_kelo_drive_actuator_update(&wheels);
  robif2b_ethercat_update(&master);
  CHECK(before == 0 && s.msr[0].current_1_q == 0);
  robif2b_ethercat_update(&master);
  CHECK_NEAR((double)s.msr[0].current_1_q, 1, 1e-6);
  CHECK_NEAR((double)s.msr[1].current_2_q, 1, 1e-6);
  finish();
}

/* Left positive, right negative is forward: by velocities, the base moves at the wheels' speed. */
static void velocities_move_it_forward(void) {
  begin();
  for (int i = 0; i < DRIVES; i++) {
    s.mode[i] = ROBIF2B_CTRL_MODE_VELOCITY;
    s.vel_cmd[2 * i] = -4, s.vel_cmd[2 * i + 1] = 4;
    s.cur_cmd[2 * i] = s.cur_cmd[2 * i + 1] = 10;
  }
  double largest = 0;
  for (int k = 0; k < 3000; k++) {
    cycle();
    for (int i = 0; i < DRIVES; i++) largest = fmax(largest, fabs((double)s.msr[i].current_1_q));
  }
  CHECK(largest > 1 && largest <= 10);
  for (int i = 0; i < DRIVES; i++) {
    CHECK_NEAR(s.vel[2 * i], -4, 0.1);
    CHECK_NEAR(s.vel[2 * i + 1], 4, 0.1);
    CHECK(s.pos[2 * i] < -7 && s.pos[2 * i + 1] > 7); /* not wrapped */
  }
  CHECK_NEAR(truth()->qvel[0], 4 * 0.0515, 0.01);
  CHECK_NEAR(s.pos[1], joint("left_left", false), 0.01);
  CHECK_NEAR(truth()->qpos[1], 0, 0.02);
  robif2b_kelo_drive_actuator_stop(&wheels);
  for (int k = 0; k < 1500; k++) robif2b_ethercat_update(&master);
  CHECK(fabs(truth()->qvel[0]) < 0.01);
  finish();
}

/* The velocity's controller keeps to its limit of current: 0.2 A are not enough to start. */
static void velocity_mode_is_limited(void) {
  begin();
  for (int i = 0; i < DRIVES; i++) {
    s.mode[i] = ROBIF2B_CTRL_MODE_VELOCITY;
    s.vel_cmd[2 * i] = -4, s.vel_cmd[2 * i + 1] = 4;
    s.cur_cmd[2 * i] = s.cur_cmd[2 * i + 1] = 0.2;
  }
  for (int k = 0; k < 1000; k++) {
    cycle();
    for (int i = 0; i < DRIVES; i++) {
      CHECK(fabs((double)s.msr[i].current_1_q) < 0.2 + 1e-6);
      CHECK(fabs((double)s.msr[i].current_2_q) < 0.2 + 1e-6);
    }
  }
  CHECK(fabs(truth()->qvel[0]) < 0.1);
  finish();
}

/* Torques as currents, and the same by currents; 20 A are the most. All push forward with F = sum of
 * torques / radius: Newton. */
static void torques_push_it(void) {
  for (int by_current = 0; by_current < 2; by_current++) {
    begin();
    for (int k = 0; k < 500; k++) cycle();
    for (int i = 0; i < DRIVES; i++) {
      s.mode[i] = by_current ? ROBIF2B_CTRL_MODE_CURRENT : ROBIF2B_CTRL_MODE_FORCE;
      s.trq_cmd[2 * i] = -0.5, s.trq_cmd[2 * i + 1] = 0.5;
      s.cur_cmd[2 * i] = -0.5 / 0.29, s.cur_cmd[2 * i + 1] = 0.5 / 0.29;
    }
    cycle();
    cycle();
    const double before = truth()->qvel[0];
    for (int k = 0; k < 500; k++) cycle();
    CHECK_NEAR((double)s.msr[0].current_1_q, -0.5 / 0.29, 1e-6);
    /* wheels of 0.002 + 0.002 kg m^2 roll with it, those of the castors too; 0.02 N m of friction */
    const double mass = 49.422 + 4 * 0.004 / (0.0515 * 0.0515) + 2 * 0.000625 / 0.0025;
    CHECK_NEAR((truth()->qvel[0] - before) / 0.5, 4 * 0.48 / 0.0515 / mass, 0.05);
    for (int i = 0; i < 4; i++)
      s.cur_cmd[i] = 100 * (i % 2 ? 1 : -1), s.trq_cmd[i] = 29 * (i % 2 ? 1 : -1);
    cycle();
    cycle();
    cycle();
    CHECK(s.msr[1].current_2_q == 20);
    finish();
  }
}

/* Wheels that turn against each other turn a drive about its pivot: the axis of the pivot points up. */
static void drives_turn_about_their_pivots(void) {
  begin();
  for (int i = 0; i < DRIVES; i++) s.mode[i] = ROBIF2B_CTRL_MODE_VELOCITY;
  for (int i = 0; i < 4; i++)
    s.cur_cmd[i] = 10, s.vel_cmd[i] = -1; /* right forward, left backward */
  for (int k = 0; k < 800; k++) cycle();
  CHECK(s.pivot[0] > 0.2 && s.pivot[0] < 1.5 && s.pivot_vel[0] > 0);
  CHECK_NEAR(s.pivot[0], joint("left_pivot", false), 0.01);
  CHECK_NEAR(s.pivot[1], joint("right_pivot", false), 0.01);
  CHECK_NEAR((double)s.msr[0].encoder_pivot, s.pivot[0] + 1.523339, 1e-5);
  CHECK(s.gyro[2] > 0.1);
  finish();
}

static void drives_that_are_not_enabled_do_nothing(void) {
  begin();
  for (int k = 0; k < 50; k++) cycle();
  CHECK(s.msr[0].status1 == 60);
  for (int k = 0; k < 450; k++) cycle();
  CHECK(s.msr[0].status1 == 63);
  struct robif2b_kelo_drive_api_cmd_pdo off = {.setpoint1 = 5, .setpoint2 = 5};
  s.cmd[0] = s.cmd[1] = off;
  robif2b_ethercat_update(&master);
  robif2b_ethercat_update(&master);
  CHECK(s.msr[0].status1 == 60 && s.msr[0].current_1_q == 0);
  off.command1 = COM1_ENABLE1 | COM1_ENABLE2 | COM1_EMERGENCY1 | COM1_EMERGENCY2;
  s.cmd[0] = off;
  for (int k = 0; k < 600; k++) robif2b_ethercat_update(&master);
  CHECK(s.msr[0].status1 == 63 && s.msr[0].current_1_q == 0 && s.msr[0].current_2_q == 0);
  off.command1 = COM1_ENABLE1 | COM1_ENABLE2;
  off.setpoint1 = NAN;
  s.cmd[0] = off;
  for (int k = 0; k < 10; k++) robif2b_ethercat_update(&master);
  CHECK(s.msr[0].current_1_q == 0 && isfinite(s.msr[0].encoder_1));
  finish();
}

static void roll(void) {
  for (int i = 0; i < DRIVES; i++) {
    s.mode[i] = ROBIF2B_CTRL_MODE_VELOCITY;
    s.vel_cmd[2 * i] = -4, s.vel_cmd[2 * i + 1] = 4;
    s.cur_cmd[2 * i] = s.cur_cmd[2 * i + 1] = 10;
  }
  for (int k = 0; k < 800; k++) cycle();
}

static void undervoltage(void) {
  begin();
  roll();
  CHECK(inject("undervoltage", 0.5, 3));
  cycle();
  CHECK(s.error == 0 && s.msr[0].status1 == STAT1_UNDERVOLTAGE && s.msr[1].status1 == 63);
  CHECK(s.msr[0].current_1_q == 0 && s.msr[1].current_1_q != 0 && s.msr[0].voltage_bus == 12);
  for (int k = 0; k < 500; k++) cycle();
  CHECK(s.msr[0].status1 == 60 && s.msr[0].voltage_bus == 24); /* disabled, then asked again */
  for (int k = 0; k < 500; k++) cycle();
  CHECK(s.msr[0].status1 == 63);
  finish();
}

/* A drive that is lost: its readings stay, its motors go off, the others go on; then it is back. */
static void a_wheel_is_lost(void) {
  begin();
  roll();
  const uint64_t stamp = s.msr[1].sensor_ts;
  CHECK(inject("lost", 0.3, 5));
  for (int k = 0; k < 200; k++) cycle();
  CHECK(s.error == 0 && s.active == 6 && s.connected[1] && !s.connected[2] && s.connected[0]);
  CHECK(s.msr[1].sensor_ts == stamp && s.msr[0].sensor_ts > stamp);
  for (int k = 0; k < 700; k++) cycle();
  CHECK(s.active == 9 && s.connected[2] && s.msr[1].sensor_ts > stamp && s.msr[1].status1 == 63);
  finish();
}

/* Frames that do not come back: -13, old readings; after a tenth of a second the drives stop their
 * wheels, after another second their motors are off. */
static void frames_are_lost(void) {
  begin();
  roll();
  const uint64_t stamp = s.msr[0].sensor_ts;
  CHECK(inject("frame", 1.5, 0));
  for (int k = 0; k < 1500; k++) {
    cycle();
    if (k == 50) CHECK(joint("left_left", true) > 3);
    if (k > 900) CHECK(fabs(joint("left_left", true)) < 0.05 && fabs(truth()->qvel[0]) < 0.005);
    CHECK(s.error == -13 && s.active == -1 && s.msr[0].sensor_ts == stamp && !s.connected[0]);
  }
  for (int k = 0; k < 2; k++) cycle();
  CHECK(s.error == 0 && s.msr[0].status1 == 60);
  finish();
}

static void encoders_fail(void) {
  begin();
  roll();
  CHECK(inject("encoder", 0.2, 3));
  cycle();
  const double angle = s.pos[0];
  for (int k = 0; k < 100; k++) cycle();
  CHECK((s.msr[0].status1 & (STAT1_ENC_1_OK | STAT1_ENC_2_OK)) == 0 && s.pos[0] == angle);
  CHECK(s.msr[0].current_1_q == 0);
  CHECK(!inject("nonsense", 1, 0) && !inject("lost", 1, 6) && !inject("frame", 1, 1));
  CHECK(!inject("undervoltage", 1, 2) && !inject("encoder", 0, 3)); /* slave 2 is no drive */
  finish();
}

static void states_that_are_not_reached(void) {
  begin();
  CHECK(inject("no_operational", 1, 0));
  robif2b_ethercat_start(&master);
  CHECK(s.error == -12);
  CHECK(inject("no_safe_op", 1, 0));
  robif2b_ethercat_stop(&master);
  CHECK(s.error == -14);
  robif2b_ethercat_shutdown(&master);
  CHECK(s.error == 0 && achd_world_find("net0") == NULL);
}

/* Stopped, or shut down: the motors are off whatever is commanded. */
static void after_a_stop_nothing_drives(void) {
  begin();
  roll();
  robif2b_ethercat_stop(&master);
  CHECK(s.error == 0);
  for (int k = 0; k < 10; k++) cycle();
  CHECK(s.error == 0 && s.msr[0].current_1_q == 0 && s.msr[0].status1 == 60);
  finish();
}

static void the_same_every_time(void) {
  double end[2];
  for (int round = 0; round < 2; round++) {
    begin();
    roll();
    end[round] = truth()->qpos[0];
    finish();
  }
  CHECK(end[0] == end[1]);
}

static void other_interfaces(void) {
  connect_ports();
  master.ethernet_if = "eth0";
  robif2b_ethercat_configure(&master);
  CHECK(s.error == -2);
  begin();
  const struct robif2b_ethercat first = master;
  robif2b_ethercat_configure(&master); /* in use */
  CHECK(s.error == -2);
  master = first;
  finish();
}

/* World files that are wrong: -2, whatever stands in them. */
static void bad_worlds(void) {
  static const char *const bad[] = {"",
                                    "slaves drive\n",
                                    "slaves drive\ndrives nobody\n",
                                    "slaves drive\ndrives left right\n",
                                    "slaves drive drive\ndrives left right\npivot_offset 1\n",
                                    "slaves drive drive\ndrives left right\npivots a b\n",
                                    "slaves board board\n",
                                    "slaves wheel\n",
                                    "slaves x:1:2\n",
                                    "slaves x:1:2:3:4\n",
                                    "slaves x:zz:2:3\n",
                                    "slaves x:1:-2:3\n",
                                    "slaves x:1:2:99999\n",
                                    "slaves board\ncycle 0\n",
                                    "slaves board\ncycle 1\n",
                                    "slaves board\nvoltage -1\n",
                                    "slaves board\nenabling 1e9\n",
                                    "slaves board\nfault nothing 0 1\n",
                                    "speed 3\n"};
  char path[] = "/tmp/achd_world_XXXXXX";
  const int id = mkstemp(path);
  CHECK(id >= 0);
  setenv("ACHD_SIM", path, 1);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    FILE *file = fopen(path, "w");
    fprintf(file, "model builtin:robile\ndevice net0 ethercat\n%s", bad[k]);
    fclose(file);
    connect_ports();
    robif2b_ethercat_configure(&master);
    CHECK_NEAR(s.error, k == 0 ? -3 : -2, 0);
  }
  FILE *file = fopen(path, "w");
  fprintf(file, "model builtin:robile\ndevice net0 ethercat\nslaves board x:3:4000:90\n");
  fclose(file);
  s.exposed = 1;
  robif2b_ethercat_configure(&master);
  CHECK(s.error == -5);
  unsetenv("ACHD_SIM");
  remove(path);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* The example sleeps for the rest of 1 ms: an update has to stay far below, also while it turns. */
static void updates_are_fast(void) {
  enum { CYCLES = 2000 };
  static double took[CYCLES];
  begin();
  for (int i = 0; i < 4; i++) s.trq_cmd[i] = i == 0 ? 0.6 : 0.3;
  double sum = 0;
  int slow = 0;
  for (int k = 0; k < CYCLES; k++) {
    const double start = now();
    cycle();
    took[k] = now() - start;
    sum += took[k];
    slow += took[k] > 500;
  }
  printf("an update takes %.0f us of processor time, %d of %d above 500 us\n", sum / CYCLES, slow,
         CYCLES);
  if (!TEST_SANITIZED) CHECK(sum / CYCLES < 300 && slow < CYCLES / 100);
  finish();
}

int main(void) {
  unsetenv("ACHD_SIM");
  RUN(the_published_example);
  RUN(it_stands);
  RUN(commands_are_one_cycle_late);
  RUN(velocities_move_it_forward);
  RUN(velocity_mode_is_limited);
  RUN(torques_push_it);
  RUN(drives_turn_about_their_pivots);
  RUN(drives_that_are_not_enabled_do_nothing);
  RUN(undervoltage);
  RUN(a_wheel_is_lost);
  RUN(frames_are_lost);
  RUN(encoders_fail);
  RUN(states_that_are_not_reached);
  RUN(after_a_stop_nothing_drives);
  RUN(the_same_every_time);
  RUN(other_interfaces);
  RUN(bad_worlds);
  if (getenv("ACHD_SWEEP")) RUN(updates_are_fast); /* a matter of what else the machine does */
  return test_end();
}
