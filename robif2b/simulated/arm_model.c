/* SPDX-License-Identifier: MIT */
/* arm_model.c: an arm made from the words of its world. */
#include "arm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"joints",
                                    "home",
                                    "base",
                                    "wrap",
                                    "gravity_compensation",
                                    "imu",
                                    "voltage",
                                    "friction",
                                    "damping",
                                    "armature",
                                    "masses",
                                    "push",
                                    "surface",
                                    "torque",
                                    "torque_warning",
                                    "velocity",
                                    "velocity_warning",
                                    "following",
                                    "following_warning",
                                    "current",
                                    "torque_constant",
                                    "lower",
                                    "upper",
                                    "tool",
                                    "sensor",
                                    "gripper_joints",
                                    "gripper_open",
                                    "gripper_closed",
                                    "gripper_stroke",
                                    "gripper_object",
                                    NULL};
static const achd_world_fault_kind faults[] = {{"lost_frame", NULL, 0, 0},
                                               {"late_frame", NULL, 0, 1},
                                               {"stuck", "joint", 0, 0},
                                               {"nan", "joint", 0, 0},
                                               {"following_error", "joint", 0, 0},
                                               {"max_velocity", "joint", 0, 0},
                                               {"max_torque", "joint", 0, 0},
                                               {"joint_limit", "joint", 0, 0},
                                               {"gripper_stuck", NULL, 0, 0},
                                               {"gripper_dropped", NULL, 0, 0},
                                               {NULL, NULL, 0, 0}};

#define DEGREES (ACHD_PI / 180)

/* The Gen3's four large and three small actuators: thresholds of the user guide's table of safeties,
 * currents and torque constants behind the gear as identified (KinovaMultiArm). */
static const achd_arm_limits large = {3 * DEGREES, 5 * DEGREES, 100 * DEGREES, 120 * DEGREES, 56.7,
                                      104.5,       -INFINITY,   INFINITY,      9.5,           11.0};
static const achd_arm_limits small = {3 * DEGREES, 5 * DEGREES, 180 * DEGREES, 200 * DEGREES, 29.4,
                                      51.3,        -INFINITY,   INFINITY,      5.5,           7.6};
static const achd_arm_limits unlimited = {INFINITY, INFINITY,  INFINITY, INFINITY, INFINITY,
                                          INFINITY, -INFINITY, INFINITY, INFINITY, 1};
/* Position limits of joints 2, 4 and 6 in low-level control. */
static const double gen3_range[7] = {INFINITY, 127 * DEGREES,   INFINITY, 147.8 * DEGREES,
                                     INFINITY, 120.3 * DEGREES, INFINITY};

static bool fail(char why[ACHD_WORLD_WHY], const char *what, const char *name) {
  snprintf(why, ACHD_WORLD_WHY, "%.150s%.100s", what, name);
  return false;
}

/* ---- words ---- */

/* One number for each joint, or one for all. */
static bool per_joint(const achd_arm *arm, const char *word, double *values, ptrdiff_t stride,
                      char why[ACHD_WORLD_WHY]) {
  double numbers[ACHD_ARM_JOINTS];
  const int n = arm->motors.n;
  if (!achd_world_text(arm->device, word, 0)) return true;
  const int given = achd_world_numbers(arm->device, word, numbers, ACHD_ARM_JOINTS);
  if (given != 1 && given != n)
    return fail(why, "one number, or one for each joint, is expected after the word ", word);
  for (int j = 0; j < n; j++) values[j * stride] = numbers[given == 1 ? 0 : j];
  return true;
}

static bool positive(const achd_arm *arm, const char *word, double *values, ptrdiff_t stride,
                     char why[ACHD_WORLD_WHY]) {
  if (!per_joint(arm, word, values, stride, why)) return false;
  for (int j = 0; j < arm->motors.n; j++)
    if (!(values[j * stride] > 0)) return fail(why, "positive numbers are expected after ", word);
  return true;
}

/* on, off, or nothing. */
static bool choice(const achd_arm *arm, const char *word, const char *yes, const char *no,
                   bool *chosen, char why[ACHD_WORLD_WHY]) {
  const char *text = achd_world_text(arm->device, word, 0);
  if (!text) return true;
  *chosen = strcmp(text, yes) == 0;
  if (*chosen || strcmp(text, no) == 0) return true;
  snprintf(why, ACHD_WORLD_WHY, "%s is followed by %s or %s", word, yes, no);
  return false;
}

/* ---- joints ---- */

static bool is_driven(const achd_physics *p, int joint) {
  return achd_physics_joint_type(p, joint) != ACHD_JOINT_OTHER;
}

static bool add_joint(achd_arm *arm, int joint, char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = arm->motors.physics;
  const char *name = achd_physics_joint_name(p, joint);
  if (!is_driven(p, joint))
    return fail(why, "not a hinge or slide: joint ", name ? name : "without a name");
  if (arm->motors.n == ACHD_ARM_JOINTS) return fail(why, "there are more than 32 joints", "");
  achd_arm_motor *motor = &arm->motors.motor[arm->motors.n++];
  *motor = (achd_arm_motor){.joint = joint};
  motor->turns = achd_physics_joint_type(p, joint) == ACHD_JOINT_TURNS &&
                 (arm->wraps || !achd_physics_limited(p, joint));
  return true;
}

/* The joints that the world names; otherwise all hinges and slides of the model, in its order. */
static bool find_joints(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = arm->motors.physics;
  const char *name = achd_world_text(arm->device, "joints", 0);
  for (int i = 0; !name && i < achd_physics_joints(p); i++)
    if (is_driven(p, i) && !add_joint(arm, i, why)) return false;
  for (int i = 0; name; name = achd_world_text(arm->device, "joints", ++i)) {
    const int joint = achd_physics_joint(p, name);
    if (joint < 0) return fail(why, "the model has no joint ", name);
    for (int k = 0; k < arm->motors.n; k++)
      if (arm->motors.motor[k].joint == joint) return fail(why, "named twice: joint ", name);
    if (!add_joint(arm, joint, why)) return false;
  }
  return arm->motors.n > 0 || fail(why, "the model has no joint that turns or slides", "");
}

static bool set_limits(achd_arm *arm, bool gen3, char why[ACHD_WORLD_WHY]) {
  achd_arm_motor *motor = arm->motors.motor;
  const ptrdiff_t stride = sizeof *motor / sizeof(double);
  for (int j = 0; j < arm->motors.n; j++) {
    motor[j].limits = !gen3 ? unlimited : j < 4 ? large : small;
    if (gen3) motor[j].limits.upper = gen3_range[j], motor[j].limits.lower = -gen3_range[j];
  }
  achd_arm_limits *l = &motor->limits;
  return positive(arm, "following", &l->following_fault, stride, why) &&
         positive(arm, "following_warning", &l->following_warning, stride, why) &&
         positive(arm, "velocity", &l->velocity_fault, stride, why) &&
         positive(arm, "velocity_warning", &l->velocity_warning, stride, why) &&
         positive(arm, "torque", &l->torque_fault, stride, why) &&
         positive(arm, "torque_warning", &l->torque_warning, stride, why) &&
         positive(arm, "current", &l->current, stride, why) &&
         positive(arm, "torque_constant", &l->torque_constant, stride, why) &&
         per_joint(arm, "lower", &l->lower, stride, why) &&
         per_joint(arm, "upper", &l->upper, stride, why);
}

/* Friction [N m], damping [N m s/rad] and rotors [kg m^2] in place of the model's. */
static bool set_model(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  static const char *const word[3] = {"friction", "damping", "armature"};
  static const achd_joint_number number[3] = {ACHD_JOINT_FRICTION, ACHD_JOINT_DAMPING,
                                              ACHD_JOINT_ARMATURE};
  double values[ACHD_ARM_JOINTS] = {0};
  for (int k = 0; k < 3; k++) {
    if (!achd_world_text(arm->device, word[k], 0)) continue;
    if (!per_joint(arm, word[k], values, 1, why)) return false;
    for (int j = 0; j < arm->motors.n; j++) {
      if (values[j] < 0) return fail(why, "a negative number follows ", word[k]);
      if (!achd_physics_set(arm->motors.physics, number[k], arm->motors.motor[j].joint, values[j],
                            why))
        return false;
    }
  }
  return true;
}

/* The masses and inertias of what the joints carry, times a number, or one for each joint. */
static bool set_masses(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  double factor[ACHD_ARM_JOINTS];
  int joints[ACHD_ARM_JOINTS];
  if (!achd_world_text(arm->device, "masses", 0)) return true;
  if (!positive(arm, "masses", factor, 1, why)) return false;
  for (int j = 0; j < arm->motors.n; j++) {
    if (!isfinite(factor[j])) return fail(why, "finite numbers are expected after masses", "");
    joints[j] = arm->motors.motor[j].joint;
  }
  return achd_physics_scale(arm->motors.physics, arm->motors.n, joints, factor, why);
}

/* The plane that contacts touch: normal, distance [m], friction. */
static bool set_surface(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  double plane[5];
  if (!achd_world_text(arm->device, "surface", 0)) return true;
  bool good = achd_world_numbers(arm->device, "surface", plane, 5) == 5;
  for (int i = 0; good && i < 5; i++) good = isfinite(plane[i]);
  const double length =
      good ? sqrt(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]) : 0;
  if (!(length > 1e-6) || !(plane[4] >= 0))
    return fail(why, "a normal, a distance [m] and a friction are expected after surface", "");
  for (int i = 0; i < 3; i++) plane[i] /= length;
  return achd_physics_surface(arm->motors.physics, plane, why);
}

/* Forces at centres of mass, along the axes of the world: BODY FROM FOR X Y Z, as often as there are. */
static bool read_pushes(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  static const char expected[] =
      "a body, two times [s] and a force [N] are expected after the word push";
  const char *name;
  for (int i = 0; (name = achd_world_text(arm->device, "push", i)) != NULL; i += 6) {
    achd_arm_push *p = &arm->pushes[arm->npushes];
    double numbers[5];
    if (arm->npushes == ACHD_ARM_PUSHES)
      return fail(why, "there are more than six of the word push", "");
    for (int k = 0; k < 5; k++) {
      if (!achd_world_value(arm->device, "push", i + 1 + k, &numbers[k]))
        return fail(why, expected, "");
    }
    p->link = achd_physics_pushed(arm->motors.physics, name, why);
    if (p->link < 0) return false;
    if (numbers[0] < 0 || !(numbers[1] > 0)) return fail(why, expected, "");
    p->from = numbers[0], p->until = numbers[0] + numbers[1];
    memcpy(p->force, numbers + 2, sizeof p->force);
    arm->npushes++;
  }
  return true;
}

/* What is pushed in this step; where a push ends its force is taken away. */
static void push(achd_arm *arm) {
  const double now = achd_world_time(arm->device);
  for (achd_arm_push *p = arm->pushes; p < arm->pushes + arm->npushes; p++) {
    const bool acts = now >= p->from && now < p->until;
    double force[3];
    for (int k = 0; k < 3; k++) force[k] = acts ? p->force[k] : -p->force[k];
    if (acts != p->acts) achd_physics_push(arm->motors.physics, p->link, force);
    p->acts = acts;
  }
}

static bool go_home(achd_arm *arm, bool gen3, char why[ACHD_WORLD_WHY]) {
  static const double gen3_home[7] = {0, 15 * DEGREES, 180 * DEGREES, -130 * DEGREES,
                                      0, 55 * DEGREES, 90 * DEGREES};
  double home[ACHD_ARM_JOINTS];
  for (int j = 0; j < arm->motors.n; j++)
    home[j] = gen3 ? gen3_home[j] : achd_physics_q(arm->motors.physics, arm->motors.motor[j].joint);
  if (!per_joint(arm, "home", home, 1, why)) return false;
  for (int j = 0; j < arm->motors.n; j++)
    achd_physics_place(arm->motors.physics, arm->motors.motor[j].joint, home[j]);
  return true;
}

static bool find_base(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = arm->motors.physics;
  const char *name = achd_world_text(arm->device, "base", 0);
  arm->base = achd_physics_carrier(p, arm->motors.motor[0].joint);
  arm->wrist = achd_physics_moved(p, arm->motors.motor[arm->motors.n - 1].joint);
  if (name) arm->base = achd_physics_link(p, name);
  return arm->base >= 0 || fail(why, "the model has no body ", name);
}

/* The tool of high-level control: the frame that the world names, or the model's own. */
static bool find_tool(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = arm->motors.physics;
  const char *name = achd_world_text(arm->device, "tool", 0);
  const int tool = name ? achd_physics_frame(p, name) : achd_physics_tool(p, arm->wrist);
  arm->cartesian =
      (achd_cartesian){.motors = &arm->motors, .tool = tool, .base = arm->base, .active = false};
  return tool >= 0 || !name || fail(why, "the model has no site ", name);
}

static bool find_sensor(achd_arm *arm, char why[ACHD_WORLD_WHY]) {
  const char *name = achd_world_text(arm->device, "sensor", 0);
  arm->sensor = name ? achd_physics_frame(arm->motors.physics, name) : -1;
  if (!name) return true;
  if (arm->sensor < 0) return fail(why, "the model has no site ", name);
  return achd_physics_feels(arm->motors.physics, arm->sensor, why);
}

/* The torques that hold the arm where it begins. */
static void come_to_rest(achd_arm *arm) {
  achd_physics *p = arm->motors.physics;
  achd_physics_renew(p);
  for (int j = 0; j < arm->motors.n; j++) {
    achd_arm_motor *motor = &arm->motors.motor[j];
    motor->tau = achd_physics_bias(p, motor->joint);
    achd_physics_apply(p, motor->joint, motor->tau);
  }
  achd_physics_renew(p);
  achd_motors_hold(&arm->motors);
}

static void *create(achd_world_device *device, bool gen3, char why[ACHD_WORLD_WHY]) {
  achd_arm *arm = calloc(1, sizeof *arm);
  snprintf(why, ACHD_WORLD_WHY, "there is no memory for an arm");
  if (!arm) return NULL;
  bool turned = false;
  arm->device = device;
  arm->motors.physics = achd_world_physics(device);
  arm->wraps = gen3;
  arm->voltage = 23.3;
  bool good =
      choice(arm, "wrap", "on", "off", &arm->wraps, why) &&
      choice(arm, "gravity_compensation", "on", "off", &arm->motors.gravity_compensation, why) &&
      choice(arm, "imu", "down", "up", &turned, why) && find_joints(arm, why);
  if (good && gen3 && arm->motors.n != ROBIF2B_KINOVA_GEN3_NR_JOINTS)
    good = fail(why, "a Gen3 has seven joints: name them after the word joints", "");
  if (good && achd_world_text(device, "voltage", 0) &&
      achd_world_numbers(device, "voltage", &arm->voltage, 1) != 1)
    good = fail(why, "one number follows voltage", "");
  good = good && set_limits(arm, gen3, why) && set_model(arm, why) && set_masses(arm, why) &&
         set_surface(arm, why) && read_pushes(arm, why) && go_home(arm, gen3, why) &&
         find_base(arm, why) && find_tool(arm, why) && find_sensor(arm, why) &&
         achd_fingers_read(&arm->fingers, device, "gripper_", why);
  if (!good) {
    free(arm);
    return NULL;
  }
  arm->upwards = turned ? -1 : 1;
  come_to_rest(arm);
  return arm;
}

static void *create_gen3(achd_world_device *device, char why[ACHD_WORLD_WHY]) {
  return create(device, true, why);
}

static void *create_arm(achd_world_device *device, char why[ACHD_WORLD_WHY]) {
  return create(device, false, why);
}

static void act(void *self, double step) {
  achd_arm *arm = self;
  static const struct {
    const char *word;
    unsigned bit;
  } trips[] = {{"following_error", ACHD_ARM_FOLLOWING_ERROR},
               {"max_velocity", ACHD_ARM_MAX_VELOCITY},
               {"max_torque", ACHD_ARM_MAX_TORQUE},
               {"joint_limit", ACHD_ARM_LIMIT_HIGH}};
  for (int j = 0; j < arm->motors.n; j++)
    for (int k = 0; k < 4; k++)
      if (achd_world_faulty(arm->device, trips[k].word, j + 1, NULL))
        achd_motors_trip(&arm->motors, j, trips[k].bit);
  arm->fingers.jammed = achd_world_faulty(arm->device, "gripper_stuck", 0, NULL);
  arm->fingers.dropped = achd_world_faulty(arm->device, "gripper_dropped", 0, NULL);
  achd_fingers_act(&arm->fingers, step);
  push(arm);
  if (achd_motors_tripped(&arm->motors)) achd_cartesian_end(&arm->cartesian);
  achd_cartesian_act(&arm->cartesian, step);
  achd_motors_act(&arm->motors, step);
}

static bool has_joint(const void *self, const char *fault, int joint) {
  const achd_arm *arm = self;
  (void)fault;
  return joint <= arm->motors.n;
}

const achd_world_kind achd_gen3_kind = {"gen3", words, faults, create_gen3, act,
                                        free,   NULL,  false,  has_joint};
const achd_world_kind achd_arm_kind = {"arm", words, faults, create_arm, act,
                                       free,  NULL,  false,  has_joint};
