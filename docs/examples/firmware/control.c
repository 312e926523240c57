/* SPDX-License-Identifier: MIT */
#include "control.h"

static const float gravity[3] = {0, 0, -9.81F};

/* Tool: 10 rad/s, critically damped. Joints: soft; it shows only where the rows leave freedom. */
static const float stiffness = 100, damping = 20;
static const float joint_stiffness = 20, joint_damping = 4;

/* b = k e + d (v_goal - v): a spring along the pose's error, a damper. The error of rotation is
 * e = 1/2 sum r_k x g_k over the columns of the rotation that is and the one wanted. */
static void set_point(const gen3f_pose *tool, const gen3f_twist *twist, const control_goal *goal,
                      float b[GEN3F_NR]) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    float turn = 0;
    for (int c = 0; c < 3; c++)
      turn += tool->R[j][c] * goal->tool.R[k][c] - tool->R[k][c] * goal->tool.R[j][c];
    b[GEN3F_TOOL_LIN_X + i] =
        stiffness * (goal->tool.p[i] - tool->p[i]) + damping * (goal->velocity[i] - twist->lin[i]);
    b[GEN3F_TOOL_ANG_X + i] = stiffness * turn / 2 - damping * twist->ang[i];
  }
}

void control_hold(const arm_sensors *now, control_goal *goal) {
  gen3f_fk_in at;
  gen3f_fk_out pose;
  for (int i = 0; i < GEN3F_NJ; i++) goal->posture[i] = at.q[i] = now->q[i];
  gen3f_fk(&at, &pose);
  for (int i = 0; i < 3; i++) goal->velocity[i] = 0;
  goal->tool = pose.pose.tool_frame;
}

static float distance(const float a[3], const float b[3]) {
  float most = 0;
  for (int i = 0; i < 3; i++) {
    const float d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    if (d > most) most = d;
  }
  return most;
}

void control_solve(const arm_sensors *now, const control_goal *goal, control_answer *answer) {
  gen3f_fk_in at;
  gen3f_fvk_in moving;
  gen3f_gravity_in heavy;
  gen3f_achd_in in;
  for (int i = 0; i < GEN3F_NJ; i++) {
    at.q[i] = moving.q[i] = heavy.q[i] = in.q[i] = now->q[i];
    moving.qd[i] = in.qd[i] = now->qd[i];
    in.tau_phys[i] = 0;
  }
  for (int i = 0; i < 3; i++) heavy.gravity[i] = in.gravity[i] = gravity[i];
  in.push = now->push;

  /* Sines and cosines once for all that follows. */
  gen3f_trig trig;
  gen3f_trig_of(now->q, &trig);

  gen3f_fk_out pose;
  gen3f_fvk_out twist;
  answer->status = gen3f_fk_trig(&trig, &at, &pose) | gen3f_fvk_trig(&trig, &moving, &twist);
  answer->distance = distance(pose.pose.tool_frame.p, goal->tool.p);
  set_point(&pose.pose.tool_frame, &twist.twist.tool_frame, goal, in.b);
  for (int row = 0; row < GEN3F_NR; row++) in.mask[row] = 1;

  gen3f_gravity_out weight;
  answer->status |= gen3f_gravity_trig(&trig, &heavy, &weight);
  for (int i = 0; i < GEN3F_NJ; i++)
    in.tau_art[i] = weight.tau[i] + joint_stiffness * (goal->posture[i] - now->q[i]) -
                    joint_damping * now->qd[i];

  gen3f_achd_out out;
  answer->status |= gen3f_achd_trig(&trig, &in, &out);
  for (int i = 0; i < GEN3F_NJ; i++) answer->tau[i] = out.tau_ctrl[i];
}
