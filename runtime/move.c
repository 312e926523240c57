/* SPDX-License-Identifier: MIT */
/* move.c: see achd/move.h */
#include <achd/move.h>

#include "vector.h"

enum { phases = 7, cruise = 3, halvings = 64, steps = 16, rounds = 4 };
/* Durations that differ by no more, relative, are equal. */
#ifdef ACHD_SINGLE
static const achd_real near = (achd_real)0x1p-14;
#else
static const achd_real near = (achd_real)0x1p-40;
#endif

static bool sound(const achd_move_limits *l) {
  return l->lower <= l->upper && l->velocity > 0 && l->acceleration > 0 && l->jerk > 0 &&
         achd_finite(l->velocity) && achd_finite(l->acceleration) && achd_finite(l->jerk);
}

static bool is_finite(const achd_move_state *s) {
  return achd_finite(s->q) && achd_finite(s->qd) && achd_finite(s->qdd);
}

/* ---- constant jerk ---- */

/* The state after the time t of a jerk. */
static achd_move_state after(achd_move_state s, achd_real jerk, achd_real t) {
  const achd_move_state end = {s.q + t * (s.qd + t * (s.qdd / 2 + t * (jerk / 6))),
                               s.qd + t * (s.qdd + t * (jerk / 2)), s.qdd + t * jerk};
  return end;
}

/* Widens low..high by the positions of the time t of a jerk: where the velocity is 0, and at the end. */
static void reach(achd_move_state s, achd_real jerk, achd_real t, achd_real *low, achd_real *high) {
  achd_real at[3] = {t, -1, -1}; /* and the roots of qd + qdd x + jerk x^2 / 2 */
  const achd_real root = s.qdd * s.qdd - 2 * jerk * s.qd;
  if (root >= 0) {
    const achd_real half = s.qdd + (s.qdd < 0 ? -achd_sqrt(root) : achd_sqrt(root));
    if (half != 0) at[1] = -2 * s.qd / half;
    if (jerk != 0) at[2] = -half / jerk;
  }
  for (int i = 0; i < 3; i++) {
    if (!(at[i] >= 0 && at[i] <= t)) continue;
    const achd_real q = after(s, jerk, at[i]).q;
    *low = achd_smaller(*low, q);
    *high = achd_larger(*high, q);
  }
}

/* ---- from one velocity to another ---- */

/* The three phases in the shortest time from the velocity and acceleration of `s` to the velocity v and
 * no acceleration: to a peak p of the acceleration, along with it, and to 0.
 *
 *   dv = v - qd,   sign: + where dv >= qdd |qdd| / (2 jerk), the change by letting go of qdd
 *   p^2 = jerk dv + qdd^2 / 2, if that is within the limit; else the limit, for as long as it takes
 *
 * (for sign -: with dv, qdd and p mirrored). Returns the state at the end. */
static achd_move_state change(const achd_move_limits *l, achd_move_state s, achd_real v,
                              achd_real time[3], achd_real jerk[3]) {
  const achd_real J = l->jerk, A = l->acceleration;
  const achd_real letting_go = s.qdd * achd_magnitude(s.qdd) / (2 * J);
  const achd_real sign = v - s.qd >= letting_go ? 1 : -1;
  const achd_real dv = sign * (v - s.qd), a = sign * s.qdd;
  const achd_real square = J * dv + a * a / 2;
  const achd_real p = achd_smaller(achd_sqrt(square > 0 ? square : 0), A);
  const achd_real up = p < a ? -1 : 1; /* who begins above the limit comes down to it */
  const achd_real gained = up * (p * p - a * a) / (2 * J) + p * p / (2 * J);
  time[0] = achd_magnitude(p - a) / J;
  time[1] = p < A ? 0 : achd_larger(0, (dv - gained) / A);
  jerk[0] = sign * up * J;
  jerk[1] = 0;
  time[2] = p / J;
  jerk[2] = -sign * J;
  achd_move_state end = s;
  for (int i = 0; i < 3; i++) end = after(end, jerk[i], time[i]);
  end.qd = v; /* but for rounding */
  end.qdd = 0;
  return end;
}

/* ---- one joint ---- */

/* Fills the profile of a move by way of the velocity v, but for the time along with it. Returns how far its end
 * is from its set-point, which the time along with v makes up for. */
static achd_real by_way_of(const achd_move_limits *l, achd_move_profile *p, achd_real v) {
  const achd_move_state from = {0, p->from.qd,
                                p->from.qdd}; /* ways have more digits than positions */
  const achd_move_state at_v = change(l, from, v, p->time, p->jerk);
  const achd_move_state end =
      change(l, at_v, p->through, p->time + cruise + 1, p->jerk + cruise + 1);
  p->time[cruise] = p->jerk[cruise] = 0;
  return (p->to - p->from.q) - end.q;
}

static achd_real duration(const achd_move_profile *p) {
  achd_real sum = 0;
  for (int i = 0; i < phases; i++) sum += p->time[i];
  return sum;
}

/* The same with the time along with v; returns false where v leads past the end, so that there is none. */
static bool complete(const achd_move_limits *l, achd_move_profile *p, achd_real v) {
  const achd_real rest = by_way_of(l, p, v);
  if (v != 0) p->time[cruise] = achd_larger(0, rest / v);
  return v > 0 ? rest >= 0 : v < 0 ? rest <= 0 : rest == 0;
}

/* The shortest move. By way of the velocity v, where the acceleration is 0, it is two changes of velocity and, where v
 * is a limit, a time along with it. The way X(v) of both changes grows with v above the velocity `let` that
 * letting go of the acceleration leads to and above the last one, and falls far enough below both; what is between
 * X of these two is reached by a v between them. Returns v. */
static achd_real shortest(const achd_move_limits *l, achd_move_profile *p) {
  const achd_real a = p->from.qdd, V = l->velocity;
  const achd_real let = achd_clamp(p->from.qd + a * achd_magnitude(a) / (2 * l->jerk), -V, V);
  const achd_real top = achd_larger(let, p->through), bottom = achd_smaller(let, p->through);
  achd_real inner = bottom, outer = top; /* X of one is beyond the end, that of the other is not */
  if (by_way_of(l, p, top) >= 0)
    inner = top, outer = V;
  else if (by_way_of(l, p, bottom) <= 0)
    outer = -V;
  const bool short_of = by_way_of(l, p, inner) >= 0;
  if ((by_way_of(l, p, outer) >= 0) == short_of)
    inner = outer; /* along with the largest velocity */
  for (int i = 0; i < halvings && inner != outer; i++) {
    const achd_real v = inner + (outer - inner) / 2;
    if (v == inner || v == outer) break;
    if ((by_way_of(l, p, v) >= 0) == short_of)
      inner = v;
    else
      outer = v;
  }
  if (complete(l, p, inner)) return inner;
  complete(l, p, outer);
  return outer;
}

/* Goes by way of a velocity from `slow` to `fast` so that the move lasts `time`: by way of `fast` it is shorter. Returns
 * whether there is one. */
static bool last_for(const achd_move_limits *l, achd_move_profile *p, achd_real slow,
                     achd_real fast, achd_real time) {
  for (int i = 0; i < halvings; i++) {
    const achd_real v = slow + (fast - slow) / 2;
    if (v == slow || v == fast) break;
    if (complete(l, p, v) && duration(p) <= time)
      fast = v;
    else
      slow = v;
  }
  complete(l, p, fast);
  return achd_magnitude(time - duration(p)) <= time * near;
}

/* Makes a move by way of v last `time`, which is no less than it does; returns false where that is not possible, and
 * leaves it as it was. Between two rests all of it is slowed down, which keeps its limits; else it goes by way of a lower
 * velocity, where that does not lead past the end. */
static bool slow_down(const achd_move_limits *l, achd_move_profile *p, achd_real v,
                      achd_real time) {
  const achd_real present = duration(p);
  if (time - present <= time * near) return true;
  if (p->from.qd == 0 && p->from.qdd == 0 && p->through == 0) {
    const achd_real k = time / present;
    if (!(present > 0)) p->time[cruise] = time; /* it stays where it is */
    for (int i = 0; i < phases && present > 0; i++) p->time[i] *= k, p->jerk[i] /= k * k * k;
    return true;
  }
  bool shorter = true; /* the move by way of the velocity before is there, and takes less */
  for (int i = steps - 1; i >= 0; i--) {
    const achd_real slow = v * (achd_real)i / steps, fast = v * (achd_real)(i + 1) / steps;
    const bool there = i == 0 || complete(l, p, slow);
    if (shorter && there && (i == 0 || duration(p) >= time) && last_for(l, p, slow, fast, time))
      return true;
    shorter = there && i > 0 && complete(l, p, slow) && duration(p) <= time;
  }
  complete(l, p, v);
  return false;
}

static void rest_at(achd_move_profile *p, achd_real q) {
  achd_clear(p, sizeof *p);
  p->from.q = p->to = q;
}

/* Whether the move stays within the limits of the position, or within them and where it begins. */
static bool stays_within(const achd_move_limits *l, const achd_move_profile *p) {
  achd_real low = p->from.q, high = low;
  achd_move_state s = p->from;
  for (int i = 0; i < phases; i++) {
    reach(s, p->jerk[i], p->time[i], &low, &high);
    s = after(s, p->jerk[i], p->time[i]);
  }
  const achd_real rounding = 64 * ACHD_EPSILON * (achd_magnitude(low) + achd_magnitude(high));
  return low >= achd_smaller(l->lower, p->from.q) - rounding &&
         high <= achd_larger(l->upper, p->from.q) + rounding;
}

static achd_move_state state_at(const achd_move_profile *p, achd_real t) {
  achd_move_state s = p->from;
  achd_real left = t > 0 ? t : 0;
  for (int i = 0; i < phases && left > 0; i++) {
    s = after(s, p->jerk[i], achd_smaller(left, p->time[i]));
    left -= p->time[i];
  }
  if (left > 0) s = (achd_move_state){p->to, p->through, 0};
  return s;
}

/* ---- all joints ---- */

/* Plans the shortest moves of n joints that end at the same time. Returns this time, and whether all of them do. */
static achd_real together(int n, achd_move_profile profile[], const achd_move_limits limits[],
                          bool *all) {
  achd_real v[ACHD_MOVE_JOINTS], longest = 0;
  *all = true;
  for (int j = 0; j < n; j++) {
    v[j] = shortest(&limits[j], &profile[j]);
    longest = achd_larger(longest, duration(&profile[j]));
  }
  for (int j = 0; j < n; j++)
    if (!slow_down(&limits[j], &profile[j], v[j], longest)) *all = false;
  return longest;
}

/* A position at which a joint is to come to rest, or that it is to pass. */
static achd_move_status judge(const achd_move_limits *l, achd_real q) {
  if (!sound(l) || !achd_finite(q)) return ACHD_MOVE_BAD_INPUT;
  return q < l->lower || q > l->upper ? ACHD_MOVE_BEYOND : ACHD_MOVE_OK;
}

achd_move_status achd_move_plan(achd_move *move, const achd_move_limits limits[],
                                const achd_move_state from[], const achd_real to[]) {
  const int n = move->njoints;
  achd_move_status status = ACHD_MOVE_OK;
  bool all;
  move->duration = 0;
  if (n < 1 || n > ACHD_MOVE_JOINTS) return ACHD_MOVE_BAD_INPUT;
  for (int j = 0; j < n; j++) {
    const achd_move_status it =
        is_finite(&from[j]) ? judge(&limits[j], to[j]) : ACHD_MOVE_BAD_INPUT;
    if (it > status) status = it;
    rest_at(&move->profile[j], achd_finite(from[j].q) ? from[j].q : 0);
  }
  if (status != ACHD_MOVE_OK) return status;
  for (int j = 0; j < n; j++) {
    move->profile[j].from = from[j];
    move->profile[j].to = to[j];
  }
  move->duration = together(n, move->profile, limits, &all);
  for (int j = 0; j < n; j++)
    if (!stays_within(&limits[j], &move->profile[j])) status = ACHD_MOVE_BEYOND;
  return status;
}

void achd_move_at(const achd_move *move, achd_real t, achd_move_state state[]) {
  for (int j = 0; j < move->njoints; j++) {
    const achd_move_profile *p = &move->profile[j];
    const achd_move_state rest = {p->to, 0, 0};
    state[j] = t >= move->duration ? rest : state_at(p, t);
  }
}

/* ---- a path through points ---- */

/* The profiles from point i on. */
static achd_move_profile *profiles_of(const achd_move_path *path, int i) {
  return path->profile + (size_t)(i * path->njoints);
}

/* The time from point i to the next one; infinite where the joints cannot arrive together, or pass a limit. */
static achd_real interval(const achd_move_path *path, const achd_move_limits limits[], int i) {
  achd_move_profile *p = profiles_of(path, i);
  bool all;
  const achd_real time = together(path->njoints, p, limits, &all);
  for (int j = 0; j < path->njoints && all; j++) all = stays_within(&limits[j], &p[j]);
  return all ? time : ACHD_INFINITY;
}

/* The velocities at point i <- share times `wanted`. */
static void pass(const achd_move_path *path, int i, const achd_real wanted[], achd_real share) {
  achd_move_profile *before = profiles_of(path, i - 1), *behind = profiles_of(path, i);
  for (int j = 0; j < path->njoints; j++) before[j].through = behind[j].from.qd = share * wanted[j];
}

/* Velocities with which point i is well passed: of a joint that goes on in its direction, the lower one of its mean velocities before
 * and behind it. */
static void wish(const achd_move_path *path, const achd_real time[2], int i, achd_real wanted[]) {
  const achd_move_profile *before = profiles_of(path, i - 1), *behind = profiles_of(path, i);
  for (int j = 0; j < path->njoints; j++) {
    const achd_real a = (before[j].to - before[j].from.q) / time[0];
    const achd_real b = (behind[j].to - behind[j].from.q) / time[1];
    wanted[j] = a > 0 && b > 0 ? achd_smaller(a, b) : a < 0 && b < 0 ? achd_larger(a, b) : 0;
  }
}

/* Looks for velocities at point i by which both intervals take less time. */
static void hurry(const achd_move_path *path, const achd_move_limits limits[], int i) {
  static const achd_real shares[] = {(achd_real)0.5, 1, (achd_real)1.5, 2, (achd_real)2.5, 3};
  const int n = path->njoints;
  achd_real wanted[2][ACHD_MOVE_JOINTS], kept[ACHD_MOVE_JOINTS];
  const achd_real time[2] = {interval(path, limits, i - 1), interval(path, limits, i)};
  achd_real best = time[0] + time[1];
  for (int j = 0; j < n; j++) kept[j] = wanted[1][j] = profiles_of(path, i)[j].from.qd;
  wish(path, time, i, wanted[0]);
  for (int from = 0; from < 2; from++) { /* another direction, or more or less of the present one */
    for (int k = 0; k < (int)(sizeof shares / sizeof shares[0]); k++) {
      for (int j = 0; j < n; j++) {
        const achd_real most_of = limits[j].velocity / shares[k];
        wanted[from][j] = achd_clamp(wanted[from][j], -most_of, most_of);
      }
      pass(path, i, wanted[from], shares[k]);
      const achd_real taken = interval(path, limits, i - 1) + interval(path, limits, i);
      if (!(taken < best)) continue;
      best = taken;
      for (int j = 0; j < n; j++) kept[j] = shares[k] * wanted[from][j];
    }
  }
  pass(path, i, kept, 1);
}

/* Rests between the points, at which all limits hold. Returns what is wrong with the points. */
static achd_move_status begin(const achd_move_path *path, const achd_move_limits limits[],
                              const achd_real points[]) {
  const int n = path->njoints;
  achd_move_status status = ACHD_MOVE_OK;
  for (int i = 0; i < path->npoints; i++) {
    bool moves = i == 0;
    for (int j = 0; j < n; j++) {
      const achd_real q = points[i * n + j];
      const achd_move_status it = judge(&limits[j], q);
      if (it > status) status = it;
      if (i > 0 && q != points[(i - 1) * n + j]) moves = true;
      if (i < path->npoints - 1) rest_at(&profiles_of(path, i)[j], q);
      if (i > 0) profiles_of(path, i - 1)[j].to = q;
    }
    if (!moves) status = ACHD_MOVE_BAD_INPUT;
  }
  return status;
}

achd_move_status achd_move_path_plan(achd_move_path *path, const achd_move_limits limits[],
                                     const achd_real points[]) {
  const int n = path->njoints, intervals = path->npoints - 1;
  path->duration = 0;
  if (n < 1 || n > ACHD_MOVE_JOINTS || intervals < 1) return ACHD_MOVE_BAD_INPUT;
  const achd_move_status status = begin(path, limits, points);
  for (int r = 0; r < rounds && status == ACHD_MOVE_OK; r++)
    for (int i = 1; i < intervals; i++) hurry(path, limits, i);
  for (int i = 0; i < intervals && status == ACHD_MOVE_OK; i++)
    path->duration += interval(path, limits, i);
  for (int i = 0; i < intervals && status != ACHD_MOVE_OK; i++)
    for (int j = 0; j < n; j++)
      rest_at(&profiles_of(path, i)[j], achd_finite(points[j]) ? points[j] : 0);
  return status;
}

achd_real achd_move_path_time(const achd_move_path *path, int k) {
  achd_real sum = 0;
  for (int i = 0; i < k && k < path->npoints; i++) sum += duration(profiles_of(path, i));
  return sum;
}

void achd_move_path_at(const achd_move_path *path, achd_real t, achd_move_state state[]) {
  int i = 0;
  achd_real left = t > 0 ? t : 0;
  for (; i < path->npoints - 2; i++) {
    const achd_real time = duration(profiles_of(path, i));
    if (left < time) break;
    left -= time;
  }
  const achd_move_profile *p = profiles_of(path, i);
  for (int j = 0; j < path->njoints; j++) {
    const achd_move_state rest = {p[j].to, 0, 0};
    state[j] = t >= path->duration ? rest : state_at(&p[j], left);
  }
}
