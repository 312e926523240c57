/* SPDX-License-Identifier: MIT */
/* measure.c: see measure.h */
#include "check/measure.h"

#include <math.h>
#include <string.h>

static double length_of(const double p[3]) {
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

/* Radius of gyration about the frame's origin, sqrt(tr I / (2 m)): not less than the distance of
 * the centre of mass. */
static double radius_of(double m, double trace) {
  return m > 0 && trace > 0 ? sqrt(trace / 2 / m) : 0;
}

static double radius_of_body(const ag_inertia *inertia) {
  return radius_of(inertia->m, inertia->I[0] + inertia->I[3] + inertia->I[5]);
}

/* The position of a body's joint; what it mimics is the header's joint `leader`. */
static double position_of(const ag_sampler *s, const ag_reduced *reduced, int body) {
  const ag_joint *joint = &s->model->links[reduced->bodies[body].link].joint;
  const int mimic = reduced->bodies[body].mimic;
  const ag_joint *leader = mimic < 0 ? joint : &s->model->links[reduced->bodies[mimic].link].joint;
  const double *q = ag_sampler_find(s, "q");
  for (int j = 0; q && j < s->header->njoints; j++)
    if (strcmp(s->header->joints[j].name, leader->name) == 0)
      return mimic < 0 ? q[j] : joint->multiplier * q[j] + joint->offset;
  return 0;
}

static void measure_bodies(const ag_sampler *s, const ag_reduced *reduced, ag_measures *m,
                           double *lever) {
  for (int i = 0; i < reduced->nbodies; i++) {
    const ag_body *b = &reduced->bodies[i];
    const ag_joint *joint = &s->model->links[b->link].joint;
    const bool prismatic = joint->type == AG_PRISMATIC;
    lever[i] = (b->parent < 0 ? 0 : lever[b->parent]) + length_of(b->origin.p);
    if (prismatic) lever[i] += fabs(position_of(s, reduced, i));
    m->slides |= prismatic;
    m->length = fmax(m->length, lever[i] + radius_of_body(&b->inertia));
    m->mass += b->inertia.m;
    if (b->mimic >= 0) m->rate = fmax(m->rate, fabs(joint->multiplier));
  }
  for (int i = 0; i < reduced->nframes; i++) {
    const ag_frame *f = &reduced->frames[i];
    m->length = fmax(m->length, (f->body < 0 ? 0 : lever[f->body]) + length_of(f->pose.p));
  }
}

/* Inertias that come at run time: where their frames are, measure_bodies has seen. */
static void measure_inputs(const ag_sampler *s, ag_measures *m) {
  double radius = 0;
  for (int k = 0; k < s->nsampled; k++) {
    const double *x = s->sampled[k].values;
    if (s->sampled[k].quantity->shape != AG_INERTIA) continue;
    m->mass += x[0];
    radius = fmax(radius, radius_of(x[0], x[4] + x[7] + x[9]));
  }
  m->length += radius;
}

void ag_measure(ag_measures *m, const ag_sampler *s, const ag_reduced *reduced,
                const double *velocity, int n, double *lever) {
  const ag_header *h = s->header;
  *m = (ag_measures){.length = radius_of_body(&reduced->base),
                     .mass = reduced->base.m,
                     .rate = m->rate,
                     .slides = h->nbase > 0};
  measure_bodies(s, reduced, m, lever);
  measure_inputs(s, m);
  const double *g = ag_sampler_find(s, "gravity"), *q = ag_sampler_find(s, "q");
  m->gravity = g ? length_of(g) : 10; /* a layout's own is about the earth's, or does not matter */
  for (int i = 0; i < n; i++) m->speed = fmax(m->speed, m->rate * fabs(velocity[i]));
  for (int k = 0; k < h->nangles; k++) {
    const ag_angle *a = &h->angles[k];
    if (a->joint >= 0)
      m->angle = fmax(m->angle, fabs(a->multiplier * q[a->joint]) + fabs(a->offset));
  }
}

double ag_measure_velocity(const ag_measures *m, double speed) {
  return m->length * speed + (m->slides ? speed : 0);
}

double ag_measure_force(const ag_measures *m, double acceleration) {
  const double linear = m->rate * acceleration + m->speed * m->speed;
  return m->mass * (m->gravity + ag_measure_velocity(m, linear));
}
