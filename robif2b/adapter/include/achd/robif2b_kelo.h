/* SPDX-License-Identifier: MIT */
/* robif2b_kelo.h: the control loop on a platform with KELO drives, through robif2b. The same program
 * runs on the simulated and on the real platform: what it is linked with decides.
 *
 *   achd_kelo base;
 *   if (!achd_kelo_connect(&base, &setup)) return 1;
 *   for (each cycle) {
 *     achd_kelo_read(&base, &measured);        exchange: the last command goes, a reading comes
 *     achd_loop_cycle(&loop, &measured, base.period);
 *     achd_kelo_command(&base, &loop);         takes effect with the next exchange
 *   }
 *   achd_kelo_disconnect(&base);
 *
 * The joints of the loop are the wheels: of each drive the right one, then the left one, with axes
 * that point outward. What it does for the loop: the angles of the pivots, from any zero; twist and
 * pose of the base by the wheels of healthy drives (odometry); stamps and ages tell of readings that are missing, be it
 * of one drive; faults of the drives become the loop's (DRIVES). A stop of the loop is executed by
 * the drives' own velocity control, at 0; the mode DISABLE does the same for a while and then
 * switches the motors off. The setup of the loop has watch.joints_stamped = true. */
#ifndef ACHD_ROBIF2B_KELO_H
#define ACHD_ROBIF2B_KELO_H

#include <achd/loop.h>
#include <achd/platform.h>
#include <robif2b/functions/ethercat.h>
#include <robif2b/functions/kelo_drive.h>
#include <robif2b/functions/kelo_power_board.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACHD_KELO_DRIVES = ACHD_PLATFORM_DRIVES, ACHD_KELO_WHEELS = 2 * ACHD_KELO_DRIVES };

typedef struct achd_kelo_setup {
  const char *ethernet_if;       /* NULL: net0 */
  const achd_platform *platform; /* number of drives, and where they are */
  const int *slaves;             /* place of each drive on the bus, from 1 */
  int board;                     /* place of the power board; 0: not used */
  const double *pivot_offsets;   /* readings of the pivots that look forward; NULL: 0 [rad] */
  double torque_constant;        /* 0: 0.29 [N m/A] */
  double driving_current;        /* largest of a motor; 0: 20 [A] */
  double stopping_current;       /* largest of a motor while it stops; 0: 10 [A] */
  double cycle_time;             /* between reads; 0: 0.001 [s] */
} achd_kelo_setup;

typedef struct achd_kelo {
  achd_platform platform;
  int drives, exposed; /* the power board is exposed, too, behind the drives */
  /* ports */
  struct robif2b_ethercat bus;
  struct robif2b_kelo_drive_encoder encoder;
  struct robif2b_kelo_drive_actuator actuator;
  struct robif2b_kelo_power_board board;
  struct robif2b_kelo_drive_api_msr_pdo msr_pdo[ACHD_KELO_DRIVES];
  struct robif2b_kelo_drive_api_cmd_pdo cmd_pdo[ACHD_KELO_DRIVES];
  struct robif2b_kelo_power_board_api_msr_pdo board_msr_pdo;
  struct robif2b_kelo_power_board_api_cmd_pdo board_cmd_pdo;
  int slave_idx[ACHD_KELO_DRIVES + 1];
  const char *name[ACHD_KELO_DRIVES + 1];
  unsigned product_code[ACHD_KELO_DRIVES + 1];
  size_t input_size[ACHD_KELO_DRIVES + 1], output_size[ACHD_KELO_DRIVES + 1];
  void *input[ACHD_KELO_DRIVES + 1];
  const void *output[ACHD_KELO_DRIVES + 1];
  bool connected_slaves[ACHD_KELO_DRIVES + 1];
  int error, found, active;
  double offset[ACHD_KELO_DRIVES];
  enum robif2b_ctrl_mode mode[ACHD_KELO_DRIVES];
  double velocity_cmd[ACHD_KELO_WHEELS], torque_cmd[ACHD_KELO_WHEELS];
  double current_cmd[ACHD_KELO_WHEELS], most_current[ACHD_KELO_WHEELS];
  double torque_constant[ACHD_KELO_WHEELS];
  double driving_current, cycle_time;
  /* readings, as the loop wants them */
  double q[ACHD_KELO_WHEELS], qd[ACHD_KELO_WHEELS];             /* wheels [rad], [rad/s] */
  double angle[ACHD_KELO_DRIVES], angle_rate[ACHD_KELO_DRIVES]; /* pivots [rad], [rad/s] */
  achd_real twist[3];                 /* of the base, along its axes: x, y [m/s], yaw [rad/s] */
  achd_real pose[3];                  /* of the base since it was connected: x, y [m], yaw [rad] */
  int charge;                         /* of the battery, with a power board [%] */
  double voltage, current, power;     /* of the battery [V], [A], [W] */
  double period;                      /* time since the read before [s] */
  double time;                        /* of the last read [s] */
  int64_t stamp;                      /* number of readings of all drives */
  double age;                         /* of the last of these [s] */
  double disabled_for;                /* time since the loop's mode is DISABLE [s] */
  double q_before[ACHD_KELO_WHEELS];  /* of the reading before [rad] */
  bool was_healthy[ACHD_KELO_DRIVES]; /* in the reading before */
  uint64_t drive_time[ACHD_KELO_DRIVES]; /* time stamp of each drive's last reading [ns] */
  bool enabled;                          /* all motors have been enabled since the last recover */
  bool fault;                            /* a drive reports one */
  bool connected;
} achd_kelo;

/* "simulated" or "real": what the program is linked with. */
const char *achd_kelo_library(void);

/* Finds the bus, the drives and the board, and makes them operational with wheels that stand still.
 * Takes at most a second's worth of cycles until all motors are enabled. False if something is
 * missing or does not answer: error is robif2b's code; nothing is connected then. */
bool achd_kelo_connect(achd_kelo *base, const achd_kelo_setup *setup);

/* One exchange. Fills the measurement but its wrench, which is set to 0, and sets the readings. If not
 * all drives answer, the last reading is repeated, with its stamp and a larger age. */
void achd_kelo_read(achd_kelo *base, achd_measurement *measured);

/* The loop's command for the next exchange. */
void achd_kelo_command(achd_kelo *base, const achd_loop *loop);

/* The same without a loop: torques of the wheels [N m]. One that is not finite stops the
 * platform, as achd_kelo_command_stop does: no number that is none reaches a drive. */
void achd_kelo_command_torques(achd_kelo *base, const achd_real *torques);

/* Stops all wheels by the drives' velocity control. */
void achd_kelo_command_stop(achd_kelo *base);

/* Pose and twist of the base for achd_loop_robot's kinematics: the tool frame of a task is the frame of
 * the base, its base frame is where the base has been connected. */
void achd_kelo_pose(const achd_kelo *base, achd_pose *pose, achd_twist *twist);

/* Wrench on the base, about its origin and along its axes, x and y [N], yaw [N m], that a task's
 * command asks for: mass [kg] and inertia about the vertical [kg m^2] times the set-points of its rows,
 * and its artificial wrench. For achd_loop_robot's solve: the generated solver turns it into the
 * forces of the drives, achd_platform_wheel_torques these into torques. */
void achd_kelo_wrench(const achd_kelo *base, const achd_task_command *command, double mass,
                      double inertia, double wrench[3]);

/* Switches motors on again after a fault of the drives, or after a DISABLE. The loop's fault DRIVES
 * remains until all are enabled; then call achd_loop_rearm. */
void achd_kelo_recover(achd_kelo *base);

/* Stops the wheels, switches the motors off, and disconnects. */
void achd_kelo_disconnect(achd_kelo *base);

#ifdef __cplusplus
}
#endif

#endif
