/* SPDX-License-Identifier: MIT */
/* robif2b_ft.h: a Robotiq force and torque sensor, through robif2b, as the physical wrench of the
 * control loop. The same program runs with the simulated and with the real sensor.
 *
 *   ACHD_FT_WRENCH(gen3, tool_frame);                  achdgen --functions fk
 *
 *   achd_ft sensor;
 *   if (!achd_ft_connect(&sensor, &(achd_ft_setup){.port = "/dev/ttyUSB0"})) return 1;
 *   for (each cycle) {
 *     achd_gen3_read(&arm, &measured);
 *     gen3_ft_wrench(&sensor, &measured);              the line that makes it the loop's wrench
 *     achd_loop_cycle(&loop, &measured, arm.period);
 *     achd_gen3_command(&arm, &loop);
 *   }
 *   achd_ft_disconnect(&sensor);
 *
 * It stands between the flange and the tool. What the loop gets is the wrench of the environment on the
 * tool: from what the sensor reads, at its own axes and origin, follows
 *
 *   F = R f - m g,   M = R m_s + r x R f - (r + R c) x m g
 *
 * R: the sensor's axes in the base, r: from the tool frame's origin to the sensor's, m, c: mass and
 * centre of mass of what it carries. What accelerates this mass is not taken off.
 *
 * The real sensor sends a reading every 10 ms, and robif2b waits for it: a thread of its own does so,
 * and the loop takes the last one, with its stamp and age. The setup of the loop has
 * watch.wrench_stamped = true and watch.wrench_oldest = 0.05 [s], or so. */
#ifndef ACHD_ROBIF2B_FT_H
#define ACHD_ROBIF2B_FT_H

#include <achd/loop.h>
#include <robif2b/functions/robotiq_ft_sensor.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is left out, is as the sensor is delivered, at the tool frame itself, without a load. */
typedef struct achd_ft_setup {
  const char *port;   /* NULL: /dev/ttyUSB0 */
  achd_pose mounting; /* of the sensor in the tool frame; R = 0: along its axes */
  double mass;        /* of what it carries, such as a gripper [kg] */
  double centre[3];   /* its centre of mass, from the sensor's origin, along its axes [m] */
  double gravity[3];  /* along the base's axes; 0: 0, 0, -9.81 [m/s^2] */
  double timeout;     /* 0: 0.1 [s] */
} achd_ft_setup;

typedef struct achd_ft {
  struct robif2b_robotiq_ft_sensor_nbx device; /* its ports are the following fields */
  float force[3], moment[3], no_force[3], no_moment[3];
  bool success, connected;
  achd_ft_setup setup;
  /* the last reading along the sensor's axes, less what achd_ft_zero took off */
  double reading[6]; /* force, moment [N, N m] */
  double mean[6];    /* over about the last ten readings, without the offsets */
  double offset[6];
  int64_t stamp; /* number of readings; as many updates may have failed as failed says */
  int64_t failed;
  double age;                    /* of the reading [s] */
  struct achd_ft_thread *thread; /* that waits for readings; NULL: updates do not wait */
} achd_ft;

/* Connects, and takes the first reading. False if the sensor does not answer. */
bool achd_ft_connect(achd_ft *sensor, const achd_ft_setup *setup);

/* The last reading as the wrench of the environment on the tool: fills measured->wrench with its stamp
 * and age. tool: pose of the tool frame in the base. Never waits. */
void achd_ft_read(achd_ft *sensor, const achd_pose *tool, achd_measurement *measured);

/* Takes the mean of the last readings as those of the load alone: from now on the wrench is 0 where
 * nothing touches the tool. Call it at rest, after 0.2 s of reading at least. */
void achd_ft_zero(achd_ft *sensor, const achd_pose *tool);

void achd_ft_disconnect(achd_ft *sensor);

/* The same with the tool's pose by generated code. Defines robot_ft_wrench(sensor, measured), which
 * takes the position from the measurement, and robot_ft_zero(sensor, measured). */
#define ACHD_FT_WRENCH(robot, frame)                                                               \
  static achd_pose robot##_ft_tool(const achd_measurement *measured) {                             \
    robot##_fk_in in;                                                                              \
    robot##_fk_out at;                                                                             \
    memcpy(in.q, measured->q, sizeof in.q);                                                        \
    robot##_fk(&in, &at);                                                                          \
    return ACHD_POSE_OF(at.pose.frame);                                                            \
  }                                                                                                \
  static inline void robot##_ft_wrench(achd_ft *sensor, achd_measurement *measured) {              \
    const achd_pose tool = robot##_ft_tool(measured);                                              \
    achd_ft_read(sensor, &tool, measured);                                                         \
  }                                                                                                \
  static inline void robot##_ft_zero(achd_ft *sensor, const achd_measurement *measured) {          \
    const achd_pose tool = robot##_ft_tool(measured);                                              \
    achd_ft_zero(sensor, &tool);                                                                   \
  }                                                                                                \
  struct robot##_ft_functions /* for the semicolon */

#ifdef __cplusplus
}
#endif

#endif
