/* SPDX-License-Identifier: MIT */
/* wrench.c: see achd/wrench.h */
#include <achd/wrench.h>

#include "vector.h"

static const achd_real feeding = (achd_real)0.001;                              /* [s] */
static const achd_real averaging = (achd_real)0.1, enough = (achd_real)0.5;     /* of a tare [s] */
static const achd_real most_share = (achd_real)0.3, most_rate = (achd_real)0.5; /* [1], [1/s] */
static const achd_real standard_gravity = (achd_real)9.81; /* downwards, z up [m/s^2] */

static achd_real or_default(achd_real x, achd_real otherwise) {
  return x > 0 ? x : otherwise;
}

bool achd_wrench_valid(const achd_wrench_parameters *p) {
  return p->mass >= 0 && achd_finite(p->mass) && achd_all_finite(p->centre, 3) &&
         achd_all_finite(p->gravity, 3) && p->smoothing >= 0 && achd_finite(p->smoothing) &&
         p->feeding >= 0 && achd_finite(p->feeding) && p->share >= 0 && p->rate >= 0;
}

static void low_pass(achd_wrench *x, const achd_wrench *now, achd_real share) {
  for (int i = 0; i < 3; i++) {
    x->lin[i] += (now->lin[i] - x->lin[i]) * share;
    x->ang[i] += (now->ang[i] - x->ang[i]) * share;
  }
}

static void subtract(achd_wrench *from, const achd_real lin[3], const achd_real ang[3]) {
  for (int i = 0; i < 3; i++) from->lin[i] -= lin[i], from->ang[i] -= ang[i];
}

/* Weight and inertia of the load: f = m (g - a) at r = R c. */
static void remove_load(achd_wrench *net, const achd_wrench_parameters *p, const achd_rotation *R,
                        const achd_real acceleration[3]) {
  const bool given = p->gravity[0] != 0 || p->gravity[1] != 0 || p->gravity[2] != 0;
  achd_real f[3], r[3], moment[3];
  for (int i = 0; i < 3; i++) {
    const achd_real g = given ? p->gravity[i] : i == 2 ? -standard_gravity : 0;
    f[i] = p->mass * (g - acceleration[i]);
  }
  achd_rotate(R, p->centre, r);
  achd_cross(r, f, moment);
  subtract(net, f, moment);
}

void achd_wrench_take(achd_wrench_run *run, const achd_wrench_parameters *p,
                      const achd_wrench *reading, const achd_rotation *R,
                      const achd_real acceleration[3], achd_real period) {
  const achd_real time = period > 0 && achd_finite(period) ? period : 0;
  achd_wrench net = *reading, in_tool = *reading;
  achd_real lin[3], ang[3];
  if (p->mass > 0) remove_load(&net, p, R, acceleration);
  achd_rotate_back(R, net.lin, in_tool.lin);
  achd_rotate_back(R, net.ang, in_tool.ang);
  achd_rotate(R, run->tare.lin, lin);
  achd_rotate(R, run->tare.ang, ang);
  subtract(&net, lin, ang);
  run->net = net;
  low_pass(&run->mean, &in_tool, time / (time + averaging));
  if (run->mean_of < enough) run->mean_of += time;
  if (!(time > 0)) return;
  low_pass(&run->felt, &net, time / (time + p->smoothing));
  low_pass(&run->slow, &net, time / (time + or_default(p->feeding, feeding)));
}

static achd_real torque(const achd_twist *column, const achd_wrench *wrench) {
  return achd_magnitude(achd_dot(column->lin, wrench->lin) + achd_dot(column->ang, wrench->ang));
}

achd_real achd_wrench_load(const achd_wrench_limits *limits, const achd_wrench *wrench) {
  achd_real most = 0;
  for (int j = 0; j < limits->njoints; j++) {
    const achd_real effort = limits->effort[j];
    if (!(effort > 0) || !achd_finite(effort)) continue;
    const achd_real load = torque(&limits->columns[j], wrench) / effort;
    if (load > most) most = load;
  }
  return most;
}

void achd_wrench_feed(achd_wrench_run *run, const achd_wrench_parameters *p,
                      const achd_wrench_limits *limits, achd_real period) {
  const achd_real share = or_default(p->share, most_share), rate = or_default(p->rate, most_rate);
  const achd_real load = achd_wrench_load(limits, &run->slow);
  const achd_real part = load > share ? share / load : 1;
  achd_wrench change;
  if (!(period > 0) || !achd_finite(period)) return;
  for (int i = 0; i < 3; i++) {
    change.lin[i] = part * run->slow.lin[i] - run->fed.lin[i];
    change.ang[i] = part * run->slow.ang[i] - run->fed.ang[i];
  }
  const achd_real step = achd_wrench_load(limits, &change), most = rate * period;
  const achd_real done = step > most ? most / step : 1;
  for (int i = 0; i < 3; i++) {
    run->fed.lin[i] += done * change.lin[i];
    run->fed.ang[i] += done * change.ang[i];
  }
}

bool achd_wrench_tare(achd_wrench_run *run) {
  if (run->mean_of < enough) return false;
  run->tare = run->mean;
  achd_clear(&run->felt, sizeof run->felt);
  achd_clear(&run->slow, sizeof run->slow);
  achd_clear(&run->fed, sizeof run->fed);
  return true;
}
