/* tasks_cleaning_test.c: a LWR 4 wipes a table (Vukcevic 2020, experiment 5): down to it, flat on
 * it, along it with a force of 0.03 N, from the published start and at the published rate. The pad
 * is 0.06 m square and as soft as a sponge (2000 N/m), its bottom 0.04 m before the flange; table,
 * pad and their friction (0.1) are ours. */
#include "arms.h"
#include "lwr4_cleaning_task.h"
#include "lwr4_pad.h"
#include "surface_run.h"

CLOSED_LOOP_ARM(lwr4, LWR4, pad)

enum {
  APPROACH = LWR4_CLEANING_TASK_APPROACH,
  ALIGN = LWR4_CLEANING_TASK_ALIGN,
  WIPE = LWR4_CLEANING_TASK_WIPE
};

static const double friction = 0.1;
static const plane table = {{0, 0, 0.12}, {0, 0, 1}, 2e3, 90, 0.1, 0.03};

/* The published start has joint 4 at -2.19, beyond the URDF's limit of -2.094. */
static achd_loop_joint joints[LWR4_NJ];
static free_motion free_joints = {joints, 0.1, 0.1, 0.5, false};
static const achd_loop_robot robot = {.njoints = LWR4_NJ,
                                      .joints = joints,
                                      .context = &free_joints,
                                      .kinematics = lwr4_kinematics,
                                      .solve = lwr4_solve,
                                      .gravity = lwr4_weight};

static plant at_start(const plane *surface) {
  const plant p = {.robot = &robot,
                   .dynamics = lwr4_dynamics,
                   .environment = plane_environment,
                   .world = surface,
                   .q = {1.12, 0.66, -0.13, -2.19, 1.64, 0.12, 0.01},
                   .random = 1};
  return p;
}

static achd_loop_setup setup;

static surface_run clean(plant p, const plane *surface) {
  surface_run r = {.c = closed_loop_at(&setup, p, 770, SURFACE_E_INITIALIZED)};
  surface_slide(&r, surface, 30);
  CHECK(r.c.loop.fault == ACHD_LOOP_FINE);
  return r;
}

/* Published: at the goal 8 s after the alignment, and force and speed out of their tolerances. The
 * force's direction leans by the angle of friction, and the pad with it. */
static void check_wiped(const surface_run *r) {
  CHECK(r->contact > 0 && r->aligned > r->contact && r->lost == 0);
  CHECK(r->c.seen & ACHD_TASK_GOAL_AREA && !(r->c.seen & ACHD_TASK_TIMEOUT));
  CHECK_NEAR(r->c.stopped - r->aligned, 8, 0.15 * 8);
  CHECK_NEAR(r->speed, 0.03, 0.003);
  CHECK(r->c.farthest < 0.07);
  CHECK(r->force > 0.01 && r->force < 0.5 && r->most < 3);
}

static void table_is_wiped(void) {
  const surface_run r = clean(at_start(&table), &table);
  check_wiped(&r);
  CHECK(r.lean < atan(friction) + 0.05);
}

/* Coulomb friction of 0.5 % of the efforts, noise of all that is measured, 0.01 N of the force. */
static void table_is_wiped_with_friction_and_noise(void) {
  plant p = at_start(&table);
  p.friction = 0.005, p.position_noise = 1e-5, p.velocity_noise = 1e-3, p.force_noise = 0.01;
  const surface_run r = clean(p, &table);
  check_wiped(&r);
  CHECK(r.lean < atan(friction) + 0.1);
}

/* The table, and while it is met something across the tool's z. */
typedef struct obstacle {
  plane table;
  bool met;
  double blow; /* along the tool's x [N] */
} obstacle;

static achd_wrench obstacle_environment(const void *world, const achd_pose *tool,
                                        const achd_twist *twist) {
  const obstacle *o = world;
  const double across[3] = {o->blow, 0, 0};
  double push[3];
  achd_wrench sum = plane_environment(&o->table, tool, twist);
  achd_rotate(&tool->R, across, push);
  for (int i = 0; i < 3 && o->met; i++) sum.lin[i] += push[i];
  return sum;
}

/* Published: more than 1 N along x or y stops it; 0.05 s of it is ours. */
static void what_is_in_the_way_stops_it(void) {
  obstacle o = {.table = table, .blow = -2};
  plant p = at_start(&table);
  p.environment = obstacle_environment, p.world = &o;
  surface_run r = {.c = closed_loop_at(&setup, p, 770, SURFACE_E_INITIALIZED)};
  while (r.slid < 770 && r.c.stopped == 0) {
    closed_loop_step(&r.c);
    surface_events(&r);
    r.slid += r.c.loop.machine.state == SURFACE_CRUISE_THROUGH_TUBE;
  }
  CHECK(r.slid == 770 && r.c.stopped == 0);
  o.met = true;
  const double met = r.c.cycle * r.c.period;
  for (int k = 0; k < 77; k++) {
    closed_loop_step(&r.c);
    surface_events(&r);
  }
  CHECK(r.c.stopped > met + 0.05 && r.c.stopped < met + 0.06);
  CHECK(r.c.seen & ACHD_TASK_CONTACT_X_Y && !(r.c.seen & ACHD_TASK_GOAL_AREA));
  o.met = false;
  for (int k = 0; k < 1000; k++) closed_loop_step(&r.c);
  CHECK(r.c.loop.machine.state == SURFACE_STOP_MOTION && r.c.loop.fault == ACHD_LOOP_FINE);
}

/* Until the tool is taken to be on the table, or for 8 s; the blow of 20 N from the side lasts
 * 50 ms, 1 s after the start. Returns when [s]; 0: never; and
 * the table's force then [N]. */
static double lowered(const achd_task *lower, const plane *on, bool no_sensor, double *force) {
  *force = 0;
  obstacle o = {.table = *on, .blow = -20};
  plant p = at_start(&table);
  p.environment = obstacle_environment, p.world = &o, p.no_sensor = no_sensor;
  const achd_loop_setup by =
      surface_setup(&robot, lower, &lwr4_cleaning_tasks[ALIGN], &lwr4_cleaning_tasks[WIPE]);
  closed_loop c = closed_loop_at(&by, p, 770, SURFACE_E_INITIALIZED);
  while (c.cycle * c.period < 8) {
    const double now = c.cycle * c.period;
    o.met = now >= 1 && now < 1.05;
    closed_loop_step(&c);
    if (c.loop.machine.state != SURFACE_ALIGN_WITH_SURFACE) continue;
    *force = c.plant.push.lin[2];
    return now;
  }
  return 0;
}

/* A blow from the side is no table: only a force along the tool's z is. By the norm of the force it was
 * taken for one. */
static void a_blow_from_the_side_is_no_table(void) {
  achd_task lower = lwr4_cleaning_tasks[APPROACH];
  CHECK(lower.along[2].force == 15 && lower.contact.force > 1e300);
  double force;
  const double z = lowered(&lower, &table, false, &force);
  CHECK(force > 15);
  lower.contact = lower.along[2], lower.along[2].force = 0;
  const double norm = lowered(&lower, &table, false, &force);
  printf("  on the table: by z %.3f s, by the norm %.3f s\n", z, norm);
  CHECK(z > 3 && z < 6);
  CHECK(norm > 1 && norm < 1.05);
}

/* Without a force: the tool stands on a table that is hard. It stands, too, before it has moved, and
 * slows down while the blow shakes it: neither is a contact. ABAG control keeps its 6 mm/s as long as
 * it can, so that the tool stands only once it presses with all of `largest`: 3 m/s^2, not 80. */
static void standing_still_is_the_table(void) {
  const plane hard = {{0, 0, 0.12}, {0, 0, 1}, 2e5, 2e3, 0.1, 0.03};
  achd_task lower = lwr4_cleaning_tasks[APPROACH];
  lower.along[2].force = 0;
  lower.standstill = (achd_standstill_rule){1e-3, 10, 2};
  lower.direction[2].largest = 3;
  double force;
  const double z = lowered(&lower, &hard, true, &force);
  printf("  on the table: by velocity %.3f s, at %.1f N\n", z, force);
  CHECK(z > 1.1 && z < 6 && force > 1 && force < 50); /* it lands on a corner */
}

/* A table that gives way: no 2 N, and the alignment ends by its time. */
static void what_gives_way_is_not_aligned_with(void) {
  achd_task align = lwr4_cleaning_tasks[ALIGN];
  CHECK(align.alignment.time == 10);
  align.alignment.time = 2;
  align.direction[2].tolerance = 1e-3;
  const achd_loop_setup by =
      surface_setup(&robot, &lwr4_cleaning_tasks[APPROACH], &align, &lwr4_cleaning_tasks[WIPE]);
  closed_loop c = closed_loop_at(&by, at_start(&table), 770, SURFACE_E_INITIALIZED);
  double contact = 0;
  while (c.cycle * c.period < 12 && c.stopped == 0) {
    closed_loop_step(&c);
    const int now = c.loop.machine.state;
    if (contact == 0 && now == SURFACE_ALIGN_WITH_SURFACE) contact = c.cycle * c.period;
    CHECK(now != SURFACE_START_TO_CRUISE);
  }
  CHECK(c.seen & ACHD_TASK_NOT_ALIGNED && !(c.seen & ACHD_TASK_ALIGNED));
  CHECK_NEAR(c.stopped - contact, 2, 0.01);
}

int main(void) {
  memcpy(joints, lwr4_joints, sizeof joints);
  joints[3].limits.lower = -2.3;
  setup = surface_setup(&robot, &lwr4_cleaning_tasks[APPROACH], &lwr4_cleaning_tasks[ALIGN],
                        &lwr4_cleaning_tasks[WIPE]);
  RUN(table_is_wiped);
  RUN(table_is_wiped_with_friction_and_noise);
  RUN(what_is_in_the_way_stops_it);
  RUN(a_blow_from_the_side_is_no_table);
  RUN(standing_still_is_the_table);
  RUN(what_gives_way_is_not_aligned_with);
  return test_end();
}
