/* SPDX-License-Identifier: MIT */
/* steps.h: where a robot on two legs puts its feet, and when, so that it does not fall. It knows positions and
 * velocities along the axes of the world, and no robot.
 *
 * The centre of mass c at the height h behaves as an inverted pendulum on its centre of pressure p:
 *   c'' = w^2 (c - p),   w = sqrt(g / h),   and its divergent component   xi = c + c' / w,   xi' = w (xi - p)
 * falls away from p, whatever the rest does. A foot that is put down in time catches it: if a step takes T seconds
 * more, xi is then at p + (xi - p) e^(w T), and the foot comes there, less what xi has to be off the foot for the
 * next step to come out as the last: l / (e^(w T) - 1) for a step of length l, half a width outward for feet that
 * stand apart: width / (e^(w T) + 1).
 *
 * Sources: Pratt, Carff, Drakunov, Goswami, Capture point: a step toward humanoid push recovery, Humanoids 2006;
 * Englsberger, Ott, Albu-Schaeffer, Three-dimensional bipedal walking control based on divergent component of motion,
 * IEEE Transactions on Robotics 31 (2015); Khadiv, Herzog, Moosavian, Righetti, Walking control based on step timing
 * adaptation, IEEE Transactions on Robotics 36 (2020). */
#ifndef STEPS_H
#define STEPS_H

#include "../trot/gait.h"

/* Lengths from 0 on. steps_fault says what is wrong with them. */
typedef struct steps_parameters {
  double height;       /* of the centre of mass over the ground, > 0 [m] */
  double width;        /* from foot to foot, > 0 [m] */
  double duration;     /* of a step, > 0 [s] */
  double least;        /* of a step that has to be short, > 0 [s] */
  double shift;        /* how long both feet stand after a touch-down [s] */
  double lift;         /* how high a foot swings [m] */
  double press;        /* how far below the ground a swing ends [m] */
  double sink;         /* speed at which a foot that is late looks for the ground [m/s] */
  double reach;        /* largest distance of a foothold from the other foot, ahead or behind [m] */
  double narrow, wide; /* least and largest distance to the side [m] */
  double hip, leg; /* height of the hips over the ankles; largest distance from hip to ankle [m] */
  double sole[2];  /* half of the length and breadth on which the sole may bear [m] */
  double gain;     /* with which the centre of pressure brings xi back, > 0 [1/s] */
  double firm;     /* stiffness with which it stands where it does not step [1/s^2] */
} steps_parameters;

/* Where the robot is, measured or estimated. Left foot first. */
typedef struct steps_state {
  double c[3], v[3]; /* centre of mass: place, velocity */
  double heading;    /* of the trunk [rad] */
  double foot[2][3]; /* middles of the soles */
  bool touches[2];
} steps_state;

typedef struct steps {
  double speed[2]; /* the command as it is followed, along the heading [m/s] */
  double turn;     /* [rad/s] */
  double heading;  /* wanted [rad] */
  double time;     /* since the last touch-down [s] */
  double left;     /* until the next one [s] */
  int swings;      /* the foot that swings, or will next: 0 left, 1 right */
  bool begun, walks, stepping;
  bool stands[2];
  double from[3];   /* where the foot left the ground */
  double target[3]; /* where it goes */
  gait_arc swing;   /* where it should be */
  double late;      /* since when it should stand [s] */
  double ground;    /* height of the floor at the foot that stands [m] */
  double lower;     /* by how much the hips have to sink so that both legs reach their feet [m] */
  double xi[2], cop[2],
      pull[2];     /* divergent component, centre of pressure [m], and c'' for that [m/s^2] */
  unsigned status; /* bits of gait_status, of the last step */
} steps;

/* What is wrong with parameters, in words; NULL: nothing. */
static inline const char *steps_fault(const steps_parameters *p) {
  const double above[] = {p->height, p->width, p->duration, p->least, p->gain};
  const double from[] = {p->shift,   p->lift,    p->press, p->sink, p->reach, p->narrow,
                         p->sole[0], p->sole[1], p->hip,   p->leg,  p->firm};
  static const char *const faults[] = {
      "height is not above 0, or beyond 1e6", "width is not above 0, or beyond 1e6",
      "duration is not above 0, or beyond 1e6", "least is not above 0, or beyond 1e6",
      "gain is not above 0, or beyond 1e6"};
  static const char *const others[] = {
      "shift is not from 0 to 1e6", "lift is not from 0 to 1e6",  "press is not from 0 to 1e6",
      "sink is not from 0 to 1e6",  "reach is not from 0 to 1e6", "narrow is not from 0 to 1e6",
      "sole is not from 0 to 1e6",  "sole is not from 0 to 1e6",  "hip is not from 0 to 1e6",
      "leg is not from 0 to 1e6",   "firm is not from 0 to 1e6"};
  for (int i = 0; i < 5; i++)
    if (!(above[i] > 0 && above[i] <= 1e6)) return faults[i];
  for (int i = 0; i < 11; i++)
    if (!(from[i] >= 0 && from[i] <= 1e6)) return others[i];
  if (!(p->wide >= p->narrow && p->wide <= 1e6)) return "wide is below narrow, or beyond 1e6";
  if (!(p->least <= p->duration)) return "least is above duration";
  if (!(p->shift < p->duration)) return "shift is not below duration";
  return NULL;
}

static inline bool steps_state_is_known(const steps_state *s) {
  return gait_numbers(s->c, 3) && gait_numbers(s->v, 3) && gait_numbers(&s->heading, 1) &&
         gait_numbers(s->foot[0], 6);
}

/* Along the axes of the heading, or back from there. */
static inline void steps_turn(double heading, bool back, const double u[2], double out[2]) {
  const double c = cos(heading), n = back ? sin(heading) : -sin(heading);
  out[0] = c * u[0] - n * u[1], out[1] = n * u[0] + c * u[1];
}

static inline double steps_within(double x, double least, double most) {
  return fmax(least, fmin(most, x));
}

/* xi seen from the foot that stands when a step begins or ends as all others do, along the heading. */
static inline void steps_nominal(const steps *g, const steps_parameters *p, double w, bool ends,
                                 double out[2]) {
  const double grown = exp(w * p->duration), side = g->swings == 0 ? 1 : -1;
  out[0] = p->duration * g->speed[0] / (grown - 1);
  out[1] = side * p->width / (grown + 1) + p->duration * g->speed[1] / (grown - 1);
  for (int i = 0; i < 2 && ends; i++) out[i] *= grown;
}

/* The centre of pressure that brings xi back to `wanted`, both seen from the middle of the sole, within the sole:
 *   p = (1 + gain / w) (xi - wanted) */
static inline void steps_press(steps *g, const steps_parameters *p, double w,
                               const double middle[2], const double wanted[2]) {
  double off[2], own[2], world[2];
  for (int i = 0; i < 2; i++) own[i] = g->xi[i] - middle[i];
  steps_turn(g->heading, false, own, off);
  for (int i = 0; i < 2; i++)
    own[i] = steps_within((1 + p->gain / w) * (off[i] - wanted[i]), -p->sole[i], p->sole[i]);
  steps_turn(g->heading, true, own, world);
  for (int i = 0; i < 2; i++) g->cop[i] = middle[i] + world[i];
}

/* It stands: a spring and damper hold the centre of mass between the feet. */
static inline void steps_stand(steps *g, const steps_parameters *p, const steps_state *s,
                               double w) {
  for (int i = 0; i < 2; i++) {
    const double off = (s->foot[0][i] + s->foot[1][i]) / 2 - s->c[i];
    g->cop[i] = s->c[i] - (p->firm * off - 2 * sqrt(p->firm) * s->v[i]) / (w * w);
  }
}

/* Before the first step xi has to be near the foot that will stand: the other one presses until it is. */
static inline bool steps_shift(steps *g, const steps_state *s, double w,
                               const steps_parameters *p) {
  const double *const foot = s->foot[1 - g->swings], side = g->swings == 0 ? 1 : -1;
  double nominal[2], own[2], off[2];
  steps_nominal(g, p, w, false, nominal);
  for (int i = 0; i < 2; i++) own[i] = g->xi[i] - foot[i];
  steps_turn(g->heading, false, own, off);
  for (int i = 0; i < 2; i++) g->cop[i] = s->foot[g->swings][i];
  return side * (off[1] - nominal[1]) <= 0;
}

/* Seconds until `far`, which grows by e^(w t), has come to `most`; 0: it has. */
static inline double steps_until(double far, double most, double w) {
  if (far < 1e-9) return 1e6;
  return most > far ? log(most / far) / w : 0;
}

/* Where and when the foot that swings comes down. The step is shorter where the foot could not go as far as xi will
 * be; and where xi falls to the side of the foot that stands, so that no foothold on the other side helps: the next
 * one catches it. */
static inline void steps_catch(steps *g, const steps_parameters *p, const steps_state *s,
                               double w) {
  const double *const foot = s->foot[1 - g->swings], side = g->swings == 0 ? 1 : -1;
  const double grown = exp(w * p->duration), soonest = fmax(p->least - g->time, 0);
  double own[2], off[2], at[2], next[2], world[2];
  for (int i = 0; i < 2; i++) own[i] = g->xi[i] - g->cop[i];
  steps_turn(g->heading, false, own, off); /* xi from the centre of pressure, */
  for (int i = 0; i < 2; i++) own[i] = g->cop[i] - foot[i];
  steps_turn(g->heading, false, own, at); /* this from the foot that stands, */
  for (int i = 0; i < 2; i++) next[i] = p->duration * g->speed[i] / (grown - 1);
  next[1] -= side * p->width / (grown + 1); /* and xi from the other one when that has come down */
  const double late =
      side * off[1] > 0 ? steps_until(side * off[1], p->wide + side * (next[1] - at[1]), w) : 0;
  const double most = fmin(late, steps_until(fabs(off[0]), p->reach, w));
  g->left = fmax(p->duration - g->time, 0);
  if (most < g->left) g->left = fmin(g->left, fmax(soonest, most));
  own[0] = steps_within(at[0] + off[0] * exp(w * g->left) - next[0], -p->reach, p->reach);
  own[1] =
      side * steps_within(side * (at[1] + off[1] * exp(w * g->left) - next[1]), p->narrow, p->wide);
  steps_turn(g->heading, true, own, world);
  for (int i = 0; i < 2; i++) g->target[i] = foot[i] + world[i];
  g->target[2] = g->ground - p->press;
}

/* A foot has touched down: it stands, and the other one is next. */
static inline void steps_touched(steps *g) {
  g->stands[g->swings] = true;
  g->swings = 1 - g->swings;
  g->time = g->late = 0;
}

/* Both feet bear, not far from each other, and xi is on the outer side of the foot that would stand: this one steps
 * again, at once. */
static inline void steps_choose(steps *g, const steps_parameters *p, const steps_state *s) {
  const double *const foot = s->foot[1 - g->swings], side = g->swings == 0 ? 1 : -1;
  const double own[2] = {g->xi[0] - foot[0], g->xi[1] - foot[1]};
  const double between[2] = {s->foot[0][0] - s->foot[1][0], s->foot[0][1] - s->foot[1][1]};
  double off[2], apart[2];
  steps_turn(g->heading, false, own, off);
  steps_turn(g->heading, false, between, apart);
  if (!g->stands[g->swings] || side * off[1] >= 0 || apart[1] > (p->width + p->wide) / 2) return;
  g->swings = 1 - g->swings;
  g->time = p->shift;
}

/* The step that is under way: both feet bear for a while, then one swings. */
static inline void steps_go(steps *g, const steps_parameters *p, const steps_state *s, double w,
                            double dt) {
  steps_choose(g, p, s);
  const double *const foot = s->foot[1 - g->swings];
  double wanted[2];
  g->time += dt;
  g->ground = foot[2];
  steps_nominal(g, p, w, true, wanted);
  for (int i = 0; i < 2; i++) wanted[i] *= exp(-w * fmax(p->duration - g->time, 0));
  steps_press(g, p, w, foot, wanted);
  steps_catch(g, p, s, w);
  if (g->time < p->shift) return;
  if (g->stands[g->swings]) {
    memcpy(g->from, s->foot[g->swings], sizeof g->from);
    g->stands[g->swings] = false;
  }
  const double since = g->time - p->shift, whole = since + g->left;
  const double x = whole > 0 ? since / whole : 1;
  g->swing = gait_over(g->from, g->target, p->lift, fmax(whole, p->least), x);
  if (g->left <= 0) {
    g->late += dt;
    g->swing.p[2] -= fmin(0.1, p->sink * g->late), g->swing.v[2] = -p->sink;
  }
  if (s->touches[g->swings] && x > 0.5) steps_touched(g);
}

/* How much lower the hips have to be so that the legs reach: hip - sqrt(leg^2 - d^2), d along the floor. */
static inline double steps_lower(const steps *g, const steps_parameters *p, const steps_state *s) {
  double lower = 0;
  for (int k = 0; k < 2; k++) {
    const double *const foot = g->stands[k] ? s->foot[k] : g->target;
    double own[2], off[2];
    for (int i = 0; i < 2; i++) own[i] = foot[i] - s->c[i];
    steps_turn(g->heading, false, own, off);
    const double d = hypot(off[0], fmax(0, fabs(off[1]) - p->width / 2));
    lower = fmax(lower, p->hip - sqrt(fmax(p->leg * p->leg - d * d, 0)));
  }
  return fmin(lower, p->hip / 3);
}

static inline void steps_follow(steps *g, const gait_command *c, double dt) {
  const double wanted[2] = {c->forward, c->left};
  for (int i = 0; i < 2; i++)
    g->speed[i] += steps_within(wanted[i] - g->speed[i], -dt, dt); /* 1 m/s^2 */
  if (g->stepping) g->heading += c->turn * dt;
}

/* One cycle of dt seconds, above 0 and up to 0.1 and below the duration of a step. Returns the status. */
static inline unsigned steps_step(steps *g, const steps_parameters *p, const steps_state *s,
                                  const gait_command *c, double dt) {
  const double wanted[3] = {c->forward, c->left, c->turn};
  gait_command followed = {0};
  if (steps_fault(p) || !(dt > 0 && dt <= 0.1 && dt < p->duration))
    return g->status = GAIT_BAD_INPUT;
  if (!steps_state_is_known(s)) return g->status = GAIT_NOT_FINITE;
  const double w = sqrt(9.81 / p->height);
  if (!g->begun) {
    memset(g, 0, sizeof *g);
    g->begun = g->stands[0] = g->stands[1] = true;
    g->heading = s->heading;
    g->ground = (s->foot[0][2] + s->foot[1][2]) / 2;
  }
  g->status = GAIT_NO_COMMAND;
  if (gait_numbers(wanted, 3)) followed = *c, g->status = GAIT_OK;
  steps_follow(g, &followed, dt);
  for (int i = 0; i < 2; i++) g->xi[i] = s->c[i] + s->v[i] / w;
  if (!g->walks && g->stands[0] && g->stands[1]) g->stepping = false;
  if (!g->stepping && g->walks)
    g->stepping = steps_shift(g, s, w, p);
  else if (!g->stepping)
    steps_stand(g, p, s, w);
  if (g->stepping) steps_go(g, p, s, w, dt);
  g->lower = steps_lower(g, p, s);
  for (int i = 0; i < 2; i++) g->pull[i] = w * w * (s->c[i] - g->cop[i]);
  return g->status;
}

#endif
