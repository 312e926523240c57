/* SPDX-License-Identifier: MIT */
/* ik.c: see achd/ik.h */
#include <achd/ik.h>

#include "vector.h"

enum { directions = 6 };
static const achd_real pi = (achd_real)3.14159265358979323846;
/* A joint whose column of the Jacobian is that nearly orthogonal to the error does not come nearer. */
#ifdef ACHD_SINGLE
static const achd_real settled_cosine = (achd_real)0x1p-8;
#else
static const achd_real settled_cosine = (achd_real)0x1p-20;
#endif

/* A try: joint positions, and where they bring the frame. */
typedef struct place {
  achd_real q[ACHD_IK_JOINTS];
  achd_pose pose;
  achd_real J[directions * ACHD_IK_JOINTS]; /* by rows; angular rows times `length` */
  achd_real e[directions];   /* from the frame to the goal; angular part times `length` */
  achd_real cost;            /* |e|^2 */
  achd_real position, angle; /* the two parts of the error [m], [rad] */
} place;

typedef struct search_state {
  const achd_ik_robot *robot;
  const achd_ik_goal *goal;
  const achd_ik_search *search;
  uint32_t random;
  int steps;               /* taken by all starts */
  place *at, *next, *best; /* where a start is, what it tries, and the nearest that was found */
} search_state;

static void swap(place **a, place **b) {
  place *x = *a;
  *a = *b;
  *b = x;
}

/* ---- the problem ---- */

static bool is_aim(achd_ik_aim aim) {
  switch (aim) {
  case ACHD_IK_POSE:
  case ACHD_IK_POSITION:
  case ACHD_IK_AXIS:
    return true;
  default:
    return false;
  }
}

static bool sound(const achd_ik_robot *r, const achd_ik_goal *g, const achd_ik_search *s,
                  const achd_real q[]) {
  if (r->njoints < 1 || r->njoints > ACHD_IK_JOINTS || s->starts < 1 || s->steps < 1) return false;
  if (!(s->length > 0) || !achd_finite(s->length)) return false;
  if (!(g->position > 0) || !(g->angle > 0) || !is_aim(g->aim)) return false;
  if (!achd_all_finite(g->pose.p, 3) || !achd_all_finite(&g->pose.R.m[0][0], 9)) return false;
  for (int i = 0; i < 3 && g->aim != ACHD_IK_POSITION; i++) {
    for (int k = 0; k <= i; k++) { /* R R^T = 1, but for decimals */
      const achd_real x = achd_dot(g->pose.R.m[i], g->pose.R.m[k]) - (achd_real)(i == k);
      if (achd_magnitude(x) > (achd_real)1e-3) return false;
    }
  }
  for (int j = 0; j < r->njoints; j++)
    if (!achd_finite(q[j]) || !(r->joints[j].lower <= r->joints[j].upper)) return false;
  return true;
}

static bool turns_freely(const achd_ik_joint *joint) {
  return !joint->slides && !achd_finite(joint->lower) && !achd_finite(joint->upper);
}

/* ---- the error of a pose ---- */

/* The rotation vector [rad] by which the frame's z axis is brought to the goal's; between opposite axes
 * about any axis across. */
static void turn_of_axis(const achd_rotation *R, const achd_rotation *goal, achd_real z[3],
                         achd_real v[3]) {
  achd_real to[3];
  for (int i = 0; i < 3; i++) z[i] = R->m[i][2], to[i] = goal->m[i][2];
  achd_cross(z, to, v);
  const achd_real sine = achd_norm(v), cosine = achd_dot(z, to);
  achd_real scale = 1;
  if (sine > ACHD_EPSILON) {
    scale = achd_atan2(sine, cosine) / sine;
  } else if (cosine < 0) { /* the frame's x axis is across */
    for (int i = 0; i < 3; i++) v[i] = R->m[i][0];
    scale = pi;
  }
  for (int i = 0; i < 3; i++) v[i] *= scale;
}

/* J <- the rows that the error sees: of turns about z nothing, since they are free. */
static void without_turns_about(const achd_real z[3], int n, achd_real *J) {
  for (int j = 0; j < n; j++) {
    achd_real about = 0;
    for (int i = 0; i < 3; i++) about += z[i] * J[(3 + i) * n + j];
    for (int i = 0; i < 3; i++) J[(3 + i) * n + j] -= about * z[i];
  }
}

/* Everything of a place but q, from q. Returns false where the frame has no pose there. */
static bool evaluate(const search_state *s, place *at) {
  const int n = s->robot->njoints;
  const achd_ik_goal *goal = s->goal;
  const achd_real length = goal->aim == ACHD_IK_POSITION ? 0 : s->search->length;
  if (!s->robot->kinematics(s->robot->context, at->q, &at->pose, at->J)) return false;
  achd_twist to_goal;
  achd_pose_difference(&at->pose, &goal->pose, &to_goal);
  if (goal->aim == ACHD_IK_POSITION) {
    achd_zero(to_goal.ang, 3);
  } else if (goal->aim == ACHD_IK_AXIS) {
    achd_real z[3];
    turn_of_axis(&at->pose.R, &goal->pose.R, z, to_goal.ang);
    without_turns_about(z, n, at->J);
  }
  at->position = achd_norm(to_goal.lin);
  at->angle = achd_norm(to_goal.ang);
  for (int i = 0; i < 3; i++) at->e[i] = to_goal.lin[i], at->e[3 + i] = to_goal.ang[i] * length;
  for (int k = 3 * n; k < directions * n; k++) at->J[k] *= length;
  at->cost = achd_dot(at->e, at->e) + achd_dot(at->e + 3, at->e + 3);
  return achd_finite(at->cost) && achd_all_finite(at->J, directions * n);
}

static bool reached(const search_state *s, const place *at) {
  return at->position <= s->goal->position && at->angle <= s->goal->angle;
}

/* ---- one step ---- */

/* J_j . e: half of how fast the cost falls with q_j. */
static achd_real descent(const place *at, int n, int j) {
  achd_real sum = 0;
  for (int i = 0; i < directions; i++) sum += at->J[i * n + j] * at->e[i];
  return sum;
}

/* Whether joint j stands at a limit, beyond which a change of that sign leads. */
static bool is_held(const achd_ik_joint *joint, achd_real q, achd_real change) {
  return (q <= joint->lower && change < 0) || (q >= joint->upper && change > 0);
}

/* Whether no small motion of joints that are not held comes nearer. */
static bool has_settled(const search_state *s, const place *at) {
  const int n = s->robot->njoints;
  const achd_real size = achd_sqrt(at->cost);
  for (int j = 0; j < n; j++) {
    const achd_real g = descent(at, n, j);
    if (is_held(&s->robot->joints[j], at->q[j], g)) continue;
    achd_real square = 0;
    for (int i = 0; i < directions; i++) square += at->J[i * n + j] * at->J[i * n + j];
    if (achd_magnitude(g) > settled_cosine * achd_sqrt(square) * size) return false;
  }
  return true;
}

/* K = L L^T by its lower half, in place. K is J J^T and a damping: positive definite. */
static void factor(achd_real K[directions][directions]) {
  for (int i = 0; i < directions; i++) {
    for (int k = 0; k <= i; k++) {
      achd_real sum = K[i][k];
      for (int m = 0; m < k; m++) sum -= K[i][m] * K[k][m];
      K[i][k] = i == k ? achd_sqrt(sum > 0 ? sum : ACHD_EPSILON) : sum / K[k][k];
    }
  }
}

/* y = K^-1 e */
static void solve(achd_real K[directions][directions], const achd_real e[directions],
                  achd_real y[directions]) {
  for (int i = 0; i < directions; i++) {
    y[i] = e[i];
    for (int m = 0; m < i; m++) y[i] -= K[i][m] * y[m];
    y[i] /= K[i][i];
  }
  for (int i = directions - 1; i >= 0; i--) {
    for (int m = i + 1; m < directions; m++) y[i] -= K[m][i] * y[m];
    y[i] /= K[i][i];
  }
}

/* dq = J^T (J J^T + damping 1)^-1 e of the joints that are free; 0 of the others. */
static void damped_step(const place *at, int n, const bool free[], achd_real damping,
                        achd_real dq[]) {
  achd_real K[directions][directions], y[directions];
  for (int i = 0; i < directions; i++) {
    for (int k = 0; k <= i; k++) {
      achd_real sum = i == k ? damping : 0;
      for (int j = 0; j < n; j++)
        if (free[j]) sum += at->J[i * n + j] * at->J[k * n + j];
      K[i][k] = sum;
    }
  }
  factor(K);
  solve(K, at->e, y);
  for (int j = 0; j < n; j++) {
    achd_real sum = 0;
    for (int i = 0; i < directions && free[j]; i++) sum += at->J[i * n + j] * y[i];
    dq[j] = sum;
  }
}

/* next->q: at->q and a damped step, within the limits. Joints at a limit that would leave it stay, and
 * the others make up for them. Returns |e - J dq|^2, the cost that the Jacobian tells for there. */
static achd_real step(const search_state *s, const place *at, achd_real damping, place *next) {
  const int n = s->robot->njoints;
  const achd_ik_joint *joints = s->robot->joints;
  achd_real dq[ACHD_IK_JOINTS];
  bool free[ACHD_IK_JOINTS];
  for (int j = 0; j < n; j++) free[j] = !is_held(&joints[j], at->q[j], descent(at, n, j));
  for (bool again = true; again;) { /* at most n times: each has a joint less */
    again = false;
    damped_step(at, n, free, damping, dq);
    for (int j = 0; j < n; j++)
      if (free[j] && is_held(&joints[j], at->q[j], dq[j])) free[j] = false, again = true;
  }
  achd_real most = 1; /* no joint turns farther than 1 rad */
  for (int j = 0; j < n; j++)
    if (!joints[j].slides && achd_magnitude(dq[j]) > most) most = achd_magnitude(dq[j]);
  achd_real told = 0;
  for (int j = 0; j < n; j++) {
    next->q[j] = achd_clamp(at->q[j] + dq[j] / most, joints[j].lower, joints[j].upper);
    dq[j] = next->q[j] - at->q[j];
  }
  for (int i = 0; i < directions; i++) {
    achd_real left = at->e[i];
    for (int j = 0; j < n; j++) left -= at->J[i * n + j] * dq[j];
    told += left * left;
  }
  return told;
}

/* ---- a search ---- */

/* How a start ended. */
typedef enum outcome { REACHED, SETTLED, GIVEN_UP } outcome;

/* Goes down from s->at. The damping is `factor` times the cost: Sugihara's, which vanishes at the goal, so
 * that the last steps are Newton's; the factor is Levenberg and Marquardt's. Unless patient it gives up
 * where four steps have not halved the cost. */
static outcome descend(search_state *s, int most_steps, bool patient) {
  achd_real share = (achd_real)0.01, before[4];
  achd_zero(before, 4);
  for (int k = 0; k < most_steps; k++) {
    const place *at = s->at;
    if (reached(s, at)) return REACHED;
    if (!patient && k >= 8 && at->cost > before[k % 4] / 2) return GIVEN_UP;
    before[k % 4] = at->cost;
    if (has_settled(s, at)) return SETTLED;
    s->steps++;
    const achd_real told = step(s, at, share * at->cost + ACHD_EPSILON, s->next);
    const bool better = evaluate(s, s->next) && s->next->cost < at->cost;
    const achd_real gain = better ? (at->cost - s->next->cost) / (at->cost - told) : 0;
    if (gain > (achd_real)0.75) share /= 4;
    if (gain < (achd_real)0.25) share *= 8;
    if (better) swap(&s->at, &s->next);
  }
  return reached(s, s->at) ? REACHED : has_settled(s, s->at) ? SETTLED : GIVEN_UP;
}

/* In [0, 1): xorshift (Marsaglia, Xorshift RNGs, Journal of Statistical Software 8, 2003). */
static achd_real random_number(search_state *s) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 17;
  s->random ^= s->random << 5;
  return (achd_real)(s->random >> 8) * (achd_real)0x1p-24;
}

/* Joint positions to start from, within the limits; without these within half a turn or a metre of the given q. */
static void random_start(search_state *s, const achd_real given[], achd_real q[]) {
  for (int j = 0; j < s->robot->njoints; j++) {
    const achd_ik_joint *joint = &s->robot->joints[j];
    const achd_real reach = joint->slides ? 1 : pi;
    const achd_real lower = achd_finite(joint->lower)   ? joint->lower
                            : achd_finite(joint->upper) ? joint->upper - 2 * reach
                                                        : given[j] - reach;
    const achd_real upper = achd_finite(joint->upper) ? joint->upper : lower + 2 * reach;
    q[j] = lower + (upper - lower) * random_number(s);
  }
}

/* x less full turns, so that it is within half a turn of `near`. */
static achd_real unwound(achd_real x, achd_real near) {
  const achd_real turns = (x - near) / (2 * pi);
  if (!(achd_magnitude(turns) < (achd_real)1e6)) return x;
  const long whole = (long)(turns < 0 ? turns - (achd_real)0.5 : turns + (achd_real)0.5);
  return x - (achd_real)whole * 2 * pi;
}

static void tell(const search_state *s, const place *best, bool settled, achd_ik_result *result) {
  achd_assign(&result->pose, &best->pose, sizeof best->pose);
  result->position = best->position;
  result->angle = best->angle;
  result->settled = settled;
  result->steps = s->steps;
  result->at_limit = 0;
  for (int j = 0; j < s->robot->njoints; j++) {
    const achd_ik_joint *joint = &s->robot->joints[j];
    if (best->q[j] <= joint->lower || best->q[j] >= joint->upper)
      result->at_limit |= UINT32_C(1) << j;
  }
}

achd_ik_status achd_ik_solve(const achd_ik_robot *robot, const achd_ik_goal *goal,
                             const achd_ik_search *search, achd_real q[], achd_ik_result *result) {
  place places[3];
  search_state s = {robot, goal,       search,     search->seed ? search->seed : 1,
                    0,     &places[0], &places[1], &places[2]};
  achd_clear(result, sizeof *result);
  if (!sound(robot, goal, search, q)) return ACHD_IK_BAD_INPUT;
  outcome how = GIVEN_UP;
  bool any = false;
  for (int k = 0; k < search->starts && how != REACHED; k++) {
    if (k > 0) random_start(&s, q, s.at->q);
    for (int j = 0; j < robot->njoints && k == 0; j++)
      s.at->q[j] = achd_clamp(q[j], robot->joints[j].lower, robot->joints[j].upper);
    if (!evaluate(&s, s.at)) continue;
    const outcome ended = descend(&s, search->steps, false);
    result->starts = k + 1;
    if (any && ended != REACHED && s.at->cost >= s.best->cost) continue;
    how = ended;
    any = true;
    swap(&s.at, &s.best);
  }
  if (!any) return ACHD_IK_BAD_INPUT;
  swap(&s.at, &s.best);
  if (how == GIVEN_UP) how = descend(&s, 8 * search->steps, true);
  tell(&s, s.at, how == SETTLED, result);
  for (int j = 0; j < robot->njoints; j++)
    q[j] = turns_freely(&robot->joints[j]) ? unwound(s.at->q[j], q[j]) : s.at->q[j];
  return how == REACHED ? ACHD_IK_FOUND : ACHD_IK_NEAREST;
}
