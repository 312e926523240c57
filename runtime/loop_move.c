/* SPDX-License-Identifier: MIT */
/* loop_move.c: see achd/loop.h */
#include "loop_move.h"

#include "vector.h"

bool achd_loop_move_valid(const achd_loop_move *move, const achd_loop_robot *robot) {
  if (!move || !move->to || !move->limits || !move->profile || !move->torques) return false;
  if (!(move->bandwidth > 0) || !achd_finite(move->bandwidth) || !(move->arrived > 0)) return false;
  achd_move_state rest[ACHD_MOVE_JOINTS];
  achd_move plan = {robot->njoints, move->profile, 0};
  for (int j = 0; j < robot->njoints; j++) rest[j] = (achd_move_state){move->to[j], 0, 0};
  return achd_move_plan(&plan, move->limits, rest, move->to) == ACHD_MOVE_OK;
}

static unsigned begin(achd_loop *loop, const achd_loop_move *move) {
  const int n = loop->setup->robot->njoints;
  for (int j = 0; j < n && !loop->goes_on; j++)
    loop->wanted[j] = (achd_move_state){loop->measured.q[j], loop->measured.qd[j], 0};
  loop->move = (achd_move){n, move->profile, 0};
  loop->moved_for = 0;
  loop->goes_on = false;
  const achd_move_status status = achd_move_plan(&loop->move, move->limits, loop->wanted, move->to);
  return status == ACHD_MOVE_OK ? ACHD_LOOP_FINE : ACHD_LOOP_LIMIT;
}

unsigned achd_loop_move_step(achd_loop *loop, const achd_loop_move *move, achd_real period) {
  const achd_loop_robot *robot = loop->setup->robot;
  const achd_real w = move->bandwidth;
  achd_solution *s = &loop->solution;
  const unsigned fault = loop->moved_for < 0 ? begin(loop, move) : ACHD_LOOP_FINE;
  if (fault != ACHD_LOOP_FINE) return fault;
  loop->moved_for += period;
  achd_move_at(&loop->move, loop->moved_for, loop->wanted);
  for (int j = 0; j < robot->njoints; j++) {
    const achd_move_state *wanted = &loop->wanted[j];
    s->qdd[j] = wanted->qdd + w * w * (wanted->q - loop->measured.q[j]) +
                2 * w * (wanted->qd - loop->measured.qd[j]);
  }
  move->torques(robot->context, &loop->measured, s->qdd, s->tau);
  s->usable = true;
  s->singular = false;
  return ACHD_LOOP_FINE;
}

bool achd_loop_moved(const achd_loop *loop, const achd_loop_move *move) {
  if (loop->moved_for < loop->move.duration) return false;
  for (int j = 0; j < loop->setup->robot->njoints; j++)
    if (!(achd_magnitude(loop->measured.q[j] - move->to[j]) <= move->arrived)) return false;
  return true;
}
