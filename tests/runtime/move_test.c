/* SPDX-License-Identifier: MIT */
/* move_test.c: moves of joints within limits (achd/move.h). Random moves keep every limit, by dense samples and at the ends of
 * their phases, come to rest exactly where they shall, and take no longer than the double S that a book computes; moves that begin in
 * motion take no longer than any other that was tried; paths pass their points. ACHD_SWEEP: 10^5 moves. */
#include <achd/move.h>

#include "random.h"
#include "test.h"

static const bool single = sizeof(achd_real) == sizeof(float);
static unsigned long long seed = 11;

static double between(double low, double high) {
  return random_between(&seed, low, high);
}

static achd_real real_of(double x) {
  return (achd_real)x;
}

/* By decades, and the limits of each size of robot. */
static achd_move_limits random_limits(void) {
  const double v = pow(10, between(-1, 1)), a = v * pow(10, between(-0.5, 1.5)),
               j = a * pow(10, between(0, 2.5));
  const achd_move_limits l = {-ACHD_INFINITY, ACHD_INFINITY, real_of(v), real_of(a), real_of(j)};
  return l;
}

/* What is beyond the limits of velocity, acceleration and jerk, relative; the jerk by the phases. */
typedef struct excess {
  double velocity, acceleration, jerk, jump;
} excess;

static void worse(double *most, double x) {
  if (!(x <= *most)) *most = x;
}

/* Along the whole move, at `samples` times and on both sides of all ends of phases. A joint that begins beyond a limit of velocity
 * or acceleration is judged once it is within. */
static excess look_at(const achd_move *move, const achd_move_limits *l, int joint, int samples) {
  excess x = {0, 0, 0, 0};
  const achd_move_profile *p = &move->profile[joint];
  achd_move_state s[ACHD_MOVE_JOINTS], last[ACHD_MOVE_JOINTS];
  bool slow = false, soft = false;
  achd_move_at(move, 0, last);
  double ends[7], at = 0;
  for (int i = 0; i < 7; i++) {
    ends[i] = at += (double)p->time[i];
    if (p->time[i] > 0) worse(&x.jerk, fabs((double)p->jerk[i]) / (double)l->jerk - 1);
    CHECK(p->time[i] >= 0);
  }
  double before = 0;
  for (int k = 1; k <= samples + 7; k++) {
    const double t = k <= samples ? (double)move->duration * k / samples : ends[k - samples - 1];
    achd_move_at(move, real_of(t), s);
    const achd_move_state *now = &s[joint];
    const double v = fabs((double)now->qd) / (double)l->velocity - 1,
                 a = fabs((double)now->qdd) / (double)l->acceleration - 1;
    if (k <= samples) {
      const double step = t - before;
      worse(&x.jump, fabs((double)now->q - (double)last[joint].q -
                          step * ((double)now->qd + (double)last[joint].qd) / 2) -
                         (double)l->jerk * step * step * step / 12 * 1.001);
      slow = slow || v <= 0, soft = soft || a <= 0;
    }
    if (slow) worse(&x.velocity, v);
    if (soft) worse(&x.acceleration, a);
    before = t;
    last[joint] = *now;
  }
  return x;
}

/* ---- from rest to rest ---- */

/* The duration of the double S (Biagiotti and Melchiorri, 3.4.1): velocity reached, or not; acceleration reached, or not. */
static double double_s(double h, double V, double A, double J) {
  h = fabs(h);
  if (V * J < A * A) { /* A is not reached */
    const double Tj = sqrt(V / J);
    return h >= 2 * V * Tj ? h / V + 2 * Tj : 4 * cbrt(h / (2 * J));
  }
  if (h >= V * (V / A + A / J)) return h / V + V / A + A / J;
  if (h >= 2 * A * A * A / (J * J)) return A / J + sqrt(A * A / (J * J) + 4 * h / A);
  return 4 * cbrt(h / (2 * J));
}

static void moves_from_rest(void) {
  const int moves = getenv("ACHD_SWEEP") ? 100000 : 1000;
  double longest = 0, shortest = 0, off = 0;
  excess most = {0, 0, 0, 0};
  for (int k = 0; k < moves; k++) {
    enum { N = 7 };
    achd_move_limits l[N];
    achd_move_state from[N], at[N];
    achd_real to[N];
    achd_move_profile profiles[N];
    achd_move move = {N, profiles, 0};
    double best = 0;
    for (int j = 0; j < N; j++) {
      l[j] = random_limits();
      const double a = between(-3, 3), h = k % 4 ? between(-6, 6) : pow(10, between(-6, 0));
      from[j] = (achd_move_state){real_of(a), 0, 0};
      to[j] = j == 5 && k % 3 == 0 ? from[j].q : real_of(a + h);
      l[j].lower = from[j].q < to[j] ? from[j].q : to[j]; /* no room beside the way */
      l[j].upper = from[j].q < to[j] ? to[j] : from[j].q;
      best = fmax(best, double_s((double)to[j] - (double)from[j].q, (double)l[j].velocity,
                                 (double)l[j].acceleration, (double)l[j].jerk));
    }
    CHECK(achd_move_plan(&move, l, from, to) == ACHD_MOVE_OK);
    worse(&longest, (double)move.duration / best - 1);
    worse(&shortest, 1 - (double)move.duration / best);
    for (int j = 0; j < N; j++) {
      const excess x = look_at(&move, &l[j], j, moves > 1000 ? 20 : 100);
      worse(&most.velocity, x.velocity), worse(&most.acceleration, x.acceleration),
          worse(&most.jerk, x.jerk), worse(&most.jump, x.jump);
    }
    achd_move_at(&move, move.duration * (1 - ACHD_EPSILON), at);
    for (int j = 0; j < N; j++) worse(&off, fabs((double)at[j].q - (double)to[j]));
    achd_move_at(&move, move.duration, at);
    for (int j = 0; j < N; j++) CHECK(at[j].q == to[j] && at[j].qd == 0 && at[j].qdd == 0);
    achd_move_at(&move, real_of(NAN), at);
    for (int j = 0; j < N; j++) CHECK(at[j].q == from[j].q && at[j].qd == 0);
  }
  printf("%d moves of 7 joints from rest: beyond velocity by %.1e, acceleration %.1e, jerk %.1e; "
         "%.1e longer and %.1e shorter than the double S; jump %.1e, %.1e at "
         "the end\n",
         moves, most.velocity, most.acceleration, most.jerk, longest, shortest, most.jump, off);
  const double rounding = single ? 1e-4 : 1e-9;
  CHECK(most.velocity < rounding && most.acceleration < rounding && most.jerk < rounding);
  CHECK(longest < (single ? 1e-3 : 1e-7) && shortest < (single ? 1e-3 : 1e-7));
  CHECK(most.jump < (single ? 1e-4 : 1e-11) && off < (single ? 1e-4 : 1e-9));
}

/* ---- from motion ---- */

/* Another way to the goal, for one joint: phases of jerk J, 0, -J with random times, after which the joint is brought to rest where
 * it then is. The shortest of those that come to the goal cannot be found so; but a move to where any of them ends is no longer. */
static void moves_from_motion_take_no_longer(void) {
  const int moves = getenv("ACHD_SWEEP") ? 20000 : 2000;
  double longer = -INFINITY, off = 0;
  int equal = 0;
  excess most = {0, 0, 0, 0};
  for (int k = 0; k < moves; k++) {
    achd_move_limits l = random_limits();
    const double V = (double)l.velocity, A = (double)l.acceleration, J = (double)l.jerk;
    achd_move_state s = {real_of(between(-1, 1)), real_of(between(-V, V)), real_of(between(-A, A))};
    /* letting go of the acceleration must not lead beyond the velocity */
    if (fabs((double)s.qd + (double)s.qdd * fabs((double)s.qdd) / (2 * J)) > V) s.qdd = 0;
    double q = (double)s.q, v = (double)s.qd, a = (double)s.qdd, t = 0;
    bool legal = true;
    for (int i = 0; i < 4 && legal; i++) { /* an acceleration to come to, and how long it stays */
      const double want = i == 3 ? 0 : between(-A, A), jerk = want > a ? J : -J,
                   up = fabs(want - a) / J;
      const double along = i == 3 ? 0 : between(0, V / A);
      const double jerks[2] = {jerk, 0}, times[2] = {up, along};
      for (int m = 0; m < 2; m++) {
        const double h = times[m], j = jerks[m];
        const double turn = j != 0 ? -a / j : -1; /* where the velocity is greatest */
        if (turn > 0 && turn < h && fabs(v + a * turn / 2) > V) legal = false;
        q += h * (v + h * (a / 2 + h * j / 6)), v += h * (a + h * j / 2), a += h * j, t += h;
        if (fabs(v) > V) legal = false;
      }
    }
    if (!legal) continue;
    /* to rest by the shortest change of velocity: that of a move whose goal is where it stops */
    const double p = fmin(A, sqrt(J * fabs(v))), ramp = p / J,
                 flat = fmax(0, fabs(v) / A - A / J) * (p >= A);
    const double rest = 2 * ramp + flat;
    q += v * rest / 2, t += rest;
    const achd_real to = real_of(q);
    achd_move_profile profile;
    achd_move move = {1, &profile, 0};
    const achd_move_status status = achd_move_plan(&move, &l, &s, &to);
    CHECK(status == ACHD_MOVE_OK);
    worse(&longer, (double)move.duration - t);
    equal += fabs((double)move.duration - t) < 1e-6;
    const excess x = look_at(&move, &l, 0, 50);
    worse(&most.velocity, x.velocity), worse(&most.acceleration, x.acceleration),
        worse(&most.jerk, x.jerk), worse(&most.jump, x.jump);
    achd_move_state at;
    achd_move_at(&move, move.duration * (1 - ACHD_EPSILON), &at);
    worse(&off, fabs((double)at.q - q));
  }
  printf("moves from motion: %.1e s longer than another way, %d equal; beyond velocity by %.1e, "
         "acceleration %.1e, jerk %.1e; jump %.1e, %.1e at the end\n",
         longer, equal, most.velocity, most.acceleration, most.jerk, most.jump, off);
  const double rounding = single ? 1e-3 : 1e-9;
  CHECK(longer < (single ? 1e-2 : 1e-7));
  CHECK(most.velocity < rounding && most.acceleration < rounding && most.jerk < rounding);
  CHECK(most.jump < (single ? 1e-3 : 1e-11) && off < (single ? 1e-3 : 1e-9));
}

/* Joints that move already arrive with the others, where a lower velocity can do that. */
static void joints_in_motion_arrive_together(void) {
  int together = 0, total = 0;
  for (int k = 0; k < 500; k++) {
    enum { N = 4 };
    achd_move_limits l[N];
    achd_move_state from[N], at[N];
    achd_real to[N];
    achd_move_profile profiles[N];
    achd_move move = {N, profiles, 0};
    for (int j = 0; j < N; j++) {
      l[j] = (achd_move_limits){-10, 10, 1, 5, 50};
      from[j] = (achd_move_state){0, real_of(between(-0.5, 0.5)), 0};
      to[j] = real_of(between(-3, 3));
    }
    CHECK(achd_move_plan(&move, l, from, to) == ACHD_MOVE_OK);
    achd_move_at(&move, move.duration * (1 - ACHD_EPSILON), at);
    for (int j = 0; j < N; j++) {
      CHECK_NEAR((double)at[j].q, (double)to[j], single ? 1e-4 : 1e-9);
      double sum = 0;
      for (int i = 0; i < 7; i++) sum += (double)profiles[j].time[i];
      CHECK(sum <= (double)move.duration * (1 + 1e-6));
      together += fabs(sum - (double)move.duration) < (single ? 1e-3 : 1e-6);
      total++;
    }
  }
  printf("%d of %d joints in motion arrive with the last\n", together, total);
  CHECK(together == total);
}

/* From beyond the limits of velocity and acceleration, too: it comes within them and arrives. */
static void who_begins_too_fast_comes_within(void) {
  for (int k = 0; k < 300; k++) {
    const achd_move_limits l = {-ACHD_INFINITY, ACHD_INFINITY, 1, 5, 50};
    const achd_move_state from = {0, real_of(between(-3, 3)), real_of(between(-12, 12))};
    const achd_real to = real_of(between(-3, 3));
    achd_move_profile profile;
    achd_move move = {1, &profile, 0};
    achd_move_state at;
    CHECK(achd_move_plan(&move, &l, &from, &to) == ACHD_MOVE_OK);
    const achd_real changed = profile.time[0] + profile.time[1] + profile.time[2];
    achd_move_at(&move, changed * (1 + 4 * ACHD_EPSILON), &at);
    CHECK(fabs((double)at.qd) <= 1 + (single ? 1e-4 : 1e-9) && fabs((double)at.qdd) <= 5);
    for (int i = 0; i < 7; i++) CHECK(fabs((double)profile.jerk[i]) <= 50);
    achd_move_at(&move, move.duration * (1 - ACHD_EPSILON), &at);
    CHECK_NEAR((double)at.q, (double)to, single ? 1e-4 : 1e-9);
    CHECK_NEAR((double)at.qd, 0, single ? 1e-3 : 1e-7);
  }
}

static void limits_of_the_position_are_told(void) {
  achd_move_limits l = {-1, 1, 2, 5, 50};
  achd_move_profile profile;
  achd_move move = {1, &profile, 0};
  achd_move_state s = {real_of(0.5), 0, 0}, at;
  achd_real to = real_of(1.1);
  CHECK(achd_move_plan(&move, &l, &s, &to) == ACHD_MOVE_BEYOND && move.duration == 0);
  achd_move_at(&move, 1, &at);
  CHECK(at.q == s.q && at.qd == 0);
  s.q = real_of(0.6), s.qd = 2; /* stops 0.5 m later at the best */
  to = 0;
  CHECK(achd_move_plan(&move, &l, &s, &to) == ACHD_MOVE_BEYOND && move.duration > 0);
  achd_move_at(&move, move.duration, &at);
  CHECK(at.q == 0);
  s.qd = real_of(0.5);
  CHECK(achd_move_plan(&move, &l, &s, &to) == ACHD_MOVE_OK);
  s = (achd_move_state){real_of(-0.6), -2, 0};
  CHECK(achd_move_plan(&move, &l, &s, &to) == ACHD_MOVE_BEYOND);
  s.q = real_of(1.05), s.qd = 0; /* from beyond: back is right */
  CHECK(achd_move_plan(&move, &l, &s, &to) == ACHD_MOVE_OK);
}

/* ---- paths ---- */

static void paths_pass_their_points(void) {
  enum { N = 6, MOST = 8 };
  double stops = 0, whole = 0, off = 0;
  excess most = {0, 0, 0, 0};
  int refused = 0;
  for (int k = 0; k < 200; k++) {
    const int count = 2 + k % (MOST - 1);
    achd_real points[MOST * N];
    achd_move_profile memory[(MOST - 1) * N];
    achd_move_limits l[N];
    achd_move_path path = {N, count, memory, 0};
    for (int j = 0; j < N; j++) {
      l[j] = (achd_move_limits){-4, 4, real_of(between(0.5, 2)), real_of(between(2, 20)),
                                real_of(between(20, 400))};
      for (int i = 0; i < count; i++) points[i * N + j] = real_of(between(-2.5, 2.5));
    }
    const achd_move_status status = achd_move_path_plan(&path, l, points);
    achd_move_state s[N], last[N];
    if (status == ACHD_MOVE_BEYOND) {
      refused++;
      achd_move_path_at(&path, 1, s);
      for (int j = 0; j < N; j++) CHECK(s[j].q == points[j] && s[j].qd == 0 && path.duration == 0);
      continue;
    }
    CHECK(status == ACHD_MOVE_OK);
    for (int i = 0; i + 1 < count; i++) { /* with a stop at each point */
      achd_move_profile profiles[N];
      achd_move move = {N, profiles, 0};
      for (int j = 0; j < N; j++) s[j] = (achd_move_state){points[i * N + j], 0, 0};
      CHECK(achd_move_plan(&move, l, s, points + (i + 1) * N) == ACHD_MOVE_OK);
      stops += (double)move.duration;
    }
    whole += (double)path.duration;
    for (int i = 0; i < count; i++) {
      achd_move_path_at(&path, achd_move_path_time(&path, i), s);
      for (int j = 0; j < N; j++) worse(&off, fabs((double)s[j].q - (double)points[i * N + j]));
    }
    const int samples = 500;
    double reached = 0;
    for (int i = 0; i <= samples; i++) {
      const double step = (double)path.duration / samples, t = i * step;
      achd_move_path_at(&path, real_of(t), s);
      for (int j = 0; j < N; j++) {
        const double v = fabs((double)s[j].qd) / (double)l[j].velocity,
                     a = fabs((double)s[j].qdd) / (double)l[j].acceleration;
        worse(&most.velocity, v - 1), worse(&most.acceleration, a - 1);
        if (i > 0) {
          const double jerk =
              fabs((double)s[j].qdd - (double)last[j].qdd) / step / (double)l[j].jerk;
          worse(&most.jerk, jerk - 1);
          reached = fmax(reached, jerk);
          worse(&most.jump, fabs((double)s[j].q - (double)last[j].q -
                                 step * ((double)s[j].qd + (double)last[j].qd) / 2) -
                                (double)l[j].jerk * step * step * step / 12 * 1.001);
        }
        reached = fmax(reached, fmax(v, a));
        CHECK(s[j].q >= l[j].lower - real_of(1e-5) && s[j].q <= l[j].upper + real_of(1e-5));
      }
      memcpy(last, s, sizeof s);
      if (i == 0 || i == samples)
        for (int j = 0; j < N; j++)
          CHECK(fabs((double)s[j].qd) < (single ? 1e-4 : 1e-9) &&
                fabs((double)s[j].qdd) < (single ? 1e-2 : 1e-9));
    }
    CHECK(reached > 0.98); /* some limit holds it */
  }
  printf("paths: %.2f of the time with stops; %d of 200 refused for a limit of the position; "
         "beyond velocity by %.1e, acceleration %.1e, jerk %.1e; points missed by %.1e\n",
         whole / stops, refused, most.velocity, most.acceleration, most.jerk, off);
  CHECK(whole < stops);
  CHECK(refused < 100);
  CHECK(most.velocity < (single ? 1e-4 : 1e-9) && most.acceleration < (single ? 1e-4 : 1e-9) &&
        most.jerk < (single ? 0.05 : 1e-7));
  CHECK(off < (single ? 1e-4 : 1e-9) && most.jump < (single ? 1e-4 : 1e-10));
}

/* Along a line or a gentle curve no joint needs to stop: the time of one double S, or little more. */
static void a_gentle_path_does_not_stop(void) {
  achd_move_profile memory[2 * 9];
  achd_move_path path = {2, 10, memory, 0};
  const achd_move_limits l[2] = {{-9, 9, 1, 5, 50}, {-9, 9, 1, 5, 50}};
  achd_real points[2 * 10];
  for (int i = 0; i < 10; i++)
    points[2 * i] = real_of(i / 3.0), points[2 * i + 1] = real_of(i / 6.0);
  CHECK(achd_move_path_plan(&path, l, points) == ACHD_MOVE_OK);
  printf("along a line of ten points %.3f s, without them %.3f s\n", (double)path.duration,
         double_s(3, 1, 5, 50));
  CHECK((double)path.duration < 1.05 * double_s(3, 1, 5, 50));
  for (int i = 0; i < 10; i++) points[2 * i + 1] = real_of(sin(i / 3.0));
  CHECK(achd_move_path_plan(&path, l, points) == ACHD_MOVE_OK);
  const double stops = 9 * double_s(1 / 3.0, 1, 5, 50);
  printf("along a sine %.3f s, with stops %.3f s\n", (double)path.duration, stops);
  CHECK((double)path.duration < 0.7 * stops);
}

static void senseless_numbers_plan_nothing(void) {
  const achd_real nan = real_of(NAN);
  const achd_move_limits good = {-1, 1, 1, 1, 1};
  achd_move_limits bad[6] = {good, good, good, good, good, good};
  bad[0].velocity = 0, bad[1].acceleration = -1, bad[2].jerk = nan, bad[3].lower = 2,
  bad[4].upper = nan, bad[5].jerk = ACHD_INFINITY;
  const achd_move_state rest = {0, 0, 0},
                        states[3] = {{nan, 0, 0}, {0, ACHD_INFINITY, 0}, {0, 0, nan}};
  const achd_real to = real_of(0.5), nowhere = nan;
  achd_move_profile profile;
  achd_move move = {1, &profile, 7};
  achd_move_state s;
  for (int i = 0; i < 6; i++)
    CHECK(achd_move_plan(&move, &bad[i], &rest, &to) == ACHD_MOVE_BAD_INPUT && move.duration == 0);
  for (int i = 0; i < 3; i++) {
    CHECK(achd_move_plan(&move, &good, &states[i], &to) == ACHD_MOVE_BAD_INPUT);
    achd_move_at(&move, real_of(0.1), &s);
    CHECK(s.q == 0 && s.qd == 0 && s.qdd == 0);
  }
  CHECK(achd_move_plan(&move, &good, &rest, &nowhere) == ACHD_MOVE_BAD_INPUT);
  move.njoints = 0;
  CHECK(achd_move_plan(&move, &good, &rest, &to) == ACHD_MOVE_BAD_INPUT);
  achd_move_profile memory[2];
  achd_real points[3] = {0, real_of(0.5), real_of(0.5)};
  achd_move_path path = {1, 3, memory, 7};
  CHECK(achd_move_path_plan(&path, &good, points) == ACHD_MOVE_BAD_INPUT && path.duration == 0);
  points[2] = nan;
  CHECK(achd_move_path_plan(&path, &good, points) == ACHD_MOVE_BAD_INPUT);
  points[2] = 2;
  CHECK(achd_move_path_plan(&path, &good, points) == ACHD_MOVE_BEYOND);
  points[2] = 1;
  CHECK(achd_move_path_plan(&path, &bad[1], points) == ACHD_MOVE_BAD_INPUT);
  CHECK(achd_move_path_plan(&path, &good, points) == ACHD_MOVE_OK && path.duration > 0);
  CHECK(achd_move_path_time(&path, 3) == 0 && achd_move_path_time(&path, 2) == path.duration);
  path.npoints = 1;
  CHECK(achd_move_path_plan(&path, &good, points) == ACHD_MOVE_BAD_INPUT);
}

int main(void) {
  RUN(moves_from_rest);
  RUN(moves_from_motion_take_no_longer);
  RUN(joints_in_motion_arrive_together);
  RUN(who_begins_too_fast_comes_within);
  RUN(limits_of_the_position_are_told);
  RUN(paths_pass_their_points);
  RUN(a_gentle_path_does_not_stop);
  RUN(senseless_numbers_plan_nothing);
  return test_end();
}
