/* SPDX-License-Identifier: MIT */
/* kelo_bus.c: the kind of device "ethercat": a bus with KELO drives and power boards, in a world. Its
 * words:
 *
 *   slaves TYPE...           along the bus: board, board_2 (of the robots Eddie and Freddy 2),
 *                            drive, junction (which has no process data), or NAME:CODE:IN:OUT with
 *                            a product code in hexadecimal and sizes in bytes
 *   drives NAME...           of each drive, in the order of its slave: its joints in the model are
 *                            NAME_pivot, NAME_left, NAME_right, its sensors NAME_accel, NAME_gyro
 *   pivot_offset ANGLE...    reading of each pivot's encoder when its drive looks forward [rad]
 *   pivots ANGLE...          at which each pivot begins [rad]
 *   cycle, voltage, torque_constant, current, enabling: one number each
 *
 * Faults, of the slave with an index (0: all): lost, undervoltage, encoder; of the bus: frame (no
 * frame comes back), no_safe_op, no_operational (slaves do not reach the state). */
#include "bus.h"
#include "kelo_bus.h"
#include "kelo_unit.h"

#include <robif2b/types/eddie_power_board_api.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLAVES = 32, MOST_DRIVES = 16, TEXT = 64 };

typedef enum slave_type { BOARD, BOARD_2, DRIVE, OTHER } slave_type;

typedef struct kelo_bus {
  achd_bus bus;
  achd_world_device *device;
  achd_slave slaves[MOST_SLAVES];
  slave_type types[MOST_SLAVES];
  char names[MOST_SLAVES][TEXT];
  achd_kelo_kind kind;
  achd_kelo_board board;
  achd_kelo_drive drives[MOST_DRIVES];
  int ndrives;
  double cycle; /* [s] */
  achd_bus_state state;
  uint64_t time; /* of the slaves' clock [ns] */
} kelo_bus;

static const char *const words[] = {"slaves",          "drives",  "pivot_offset", "pivots",
                                    "cycle",           "voltage", "current",      "enabling",
                                    "torque_constant", NULL};
static const achd_world_fault_kind faults[] = {
    {"lost", "slave", 0, 0}, {"undervoltage", "drive", 0, 0}, {"encoder", "drive", 0, 0},
    {"frame", NULL, 0, 0},   {"no_safe_op", NULL, 0, 0},      {"no_operational", NULL, 0, 0},
    {NULL, NULL, 0, 0}};

/* A drive that hears no frame for so long stops its wheels, for a while, then switches its motors off
 * [s]. */
static const double watchdog = 0.1, quick_stop = 1;

/* ---- from the world's file ---- */

static bool wrong(char why[ACHD_WORLD_WHY], const char *what, const char *word) {
  snprintf(why, ACHD_WORLD_WHY, "%.150s: %.100s", word, what);
  return false;
}

/* A whole number of a base; false: it is none, or too large. */
static bool whole(const char *text, int base, unsigned long most, unsigned long *number) {
  char *end = NULL;
  errno = 0;
  *number = strtoul(text, &end, base);
  return end != text && *end == '\0' && *text != '-' && errno == 0 && *number <= most;
}

/* NAME:CODE:IN:OUT */
static bool read_other(kelo_bus *b, int k, const char *text) {
  char copy[2 * TEXT], *rest = NULL;
  unsigned long code, in, out;
  if (strlen(text) >= sizeof copy) return false;
  snprintf(copy, sizeof copy, "%s", text);
  const char *name = strtok_r(copy, ":", &rest), *codes = strtok_r(NULL, ":", &rest);
  const char *ins = strtok_r(NULL, ":", &rest), *outs = strtok_r(NULL, ":", &rest);
  if (!name || !codes || !ins || !outs || *rest || strlen(name) >= TEXT) return false;
  if (!whole(codes, 16, 0xffffffffUL, &code) || !whole(ins, 10, 65535, &in) ||
      !whole(outs, 10, 65535, &out))
    return false;
  snprintf(b->names[k], sizeof b->names[k], "%s", name);
  b->types[k] = OTHER;
  b->slaves[k] = (achd_slave){b->names[k], (unsigned)code, in, out, false};
  return true;
}

static bool read_slave(kelo_bus *b, int k, const char *text) {
  if (strcmp(text, "board") == 0) {
    b->types[k] = BOARD;
    b->slaves[k] =
        (achd_slave){"KELO_ROBILE", 0x02100101, sizeof(struct robif2b_kelo_power_board_api_msr_pdo),
                     sizeof(struct robif2b_kelo_power_board_api_cmd_pdo), false};
    return true;
  }
  if (strcmp(text, "board_2") == 0) {
    b->types[k] = BOARD_2;
    b->slaves[k] = (achd_slave){"KELO_ECAT_FRD2_PMU1.0", 0x90001001,
                                sizeof(struct robif2b_eddie_power_board_api_msr_pdo),
                                sizeof(struct robif2b_eddie_power_board_api_cmd_pdo), false};
    return true;
  }
  if (strcmp(text, "drive") == 0) {
    b->types[k] = DRIVE;
    b->slaves[k] =
        (achd_slave){"KELOD105", 0x02001001, sizeof(struct robif2b_kelo_drive_api_msr_pdo),
                     sizeof(struct robif2b_kelo_drive_api_cmd_pdo), false};
    return true;
  }
  if (strcmp(text, "junction") == 0) return read_other(b, k, "junction:1:0:0");
  return read_other(b, k, text);
}

static bool read_slaves(kelo_bus *b, char why[ACHD_WORLD_WHY]) {
  const char *text;
  int boards = 0;
  for (int k = 0; (text = achd_world_text(b->device, "slaves", k)) != NULL; k++) {
    if (k == MOST_SLAVES) return wrong(why, "too many", "slaves");
    if (!read_slave(b, k, text))
      return wrong(why, "is no slave: write board, board_2, drive, junction or NAME:CODE:IN:OUT",
                   text);
    boards += b->types[k] == BOARD || b->types[k] == BOARD_2;
    b->ndrives += b->types[k] == DRIVE;
    b->bus.nslaves = k + 1;
  }
  if (boards > 1) return wrong(why, "has more than one board", "slaves");
  if (b->ndrives > MOST_DRIVES) return wrong(why, "has too many drives", "slaves");
  return true;
}

static bool find_joint(const kelo_bus *b, const char *drive, const char *part, int *joint,
                       char why[ACHD_WORLD_WHY]) {
  const achd_physics *p = achd_world_physics(b->device);
  char name[2 * TEXT];
  snprintf(name, sizeof name, "%.63s%.63s", drive, part);
  *joint = achd_physics_joint(p, name);
  if (*joint < 0) return wrong(why, "the model does not have it", name);
  return achd_physics_joint_type(p, *joint) == ACHD_JOINT_TURNS ||
         wrong(why, "a joint is not a hinge", drive);
}

static bool find_sensor(const kelo_bus *b, const char *drive, const char *part, int *reading,
                        char why[ACHD_WORLD_WHY]) {
  char name[2 * TEXT];
  snprintf(name, sizeof name, "%.63s%.63s", drive, part);
  *reading = achd_physics_reading(achd_world_physics(b->device), name);
  return *reading >= 0 || wrong(why, "the model does not have it, or not with three axes", name);
}

static bool find_drives(kelo_bus *b, char why[ACHD_WORLD_WHY]) {
  double offsets[MOST_DRIVES] = {0}, angles[MOST_DRIVES] = {0};
  const int noffsets = achd_world_numbers(b->device, "pivot_offset", offsets, MOST_DRIVES);
  const int nangles = achd_world_numbers(b->device, "pivots", angles, MOST_DRIVES);
  if (achd_world_text(b->device, "drives", b->ndrives))
    return wrong(why, "has more names than slaves of type drive", "drives");
  if (achd_world_text(b->device, "pivot_offset", 0) && noffsets != b->ndrives)
    return wrong(why, "takes a number for each drive", "pivot_offset");
  if (achd_world_text(b->device, "pivots", 0) && nangles != b->ndrives)
    return wrong(why, "takes a number for each drive", "pivots");
  for (int i = 0; i < b->ndrives; i++) {
    achd_kelo_drive *d = &b->drives[i];
    const char *name = achd_world_text(b->device, "drives", i);
    if (!name) return wrong(why, "has fewer names than slaves of type drive", "drives");
    if (!find_joint(b, name, "_right", &d->motor[0].joint, why) ||
        !find_joint(b, name, "_left", &d->motor[1].joint, why) ||
        !find_joint(b, name, "_pivot", &d->pivot, why) ||
        !find_sensor(b, name, "_accel", &d->accelerometer, why) ||
        !find_sensor(b, name, "_gyro", &d->gyro, why))
      return false;
    d->offset = offsets[i];
    d->supply = b->kind.voltage;
    achd_physics_place(achd_world_physics(b->device), d->pivot, angles[i]);
  }
  return true;
}

/* A number above 0 and at most `most`, if the file has it. */
static bool read_positive(const kelo_bus *b, const char *word, double most, double *number,
                          char why[ACHD_WORLD_WHY]) {
  if (!achd_world_text(b->device, word, 0)) return true;
  double value = 0;
  if (achd_world_numbers(b->device, word, &value, 1) != 1 || !(value > 0))
    return wrong(why, "takes one number above 0", word);
  if (value > most) {
    char bound[TEXT];
    snprintf(bound, sizeof bound, "is at most %g", most);
    return wrong(why, bound, word);
  }
  *number = value;
  return true;
}

static bool read_kind(kelo_bus *b, char why[ACHD_WORLD_WHY]) {
  double enabling = 100;
  b->cycle = 0.001;
  b->kind = (achd_kelo_kind){.torque_constant = 0.29,
                             .resistance = 0.3,
                             .most_current = 20,
                             .proportional = 2,
                             .integral = 20,
                             .voltage = 24};
  if (!read_positive(b, "cycle", 0.1, &b->cycle, why) ||
      !read_positive(b, "voltage", INFINITY, &b->kind.voltage, why) ||
      !read_positive(b, "torque_constant", INFINITY, &b->kind.torque_constant, why) ||
      !read_positive(b, "current", INFINITY, &b->kind.most_current, why) ||
      !read_positive(b, "enabling", 1e6, &enabling, why))
    return false;
  b->kind.enabling = (int)enabling;
  return true;
}

/* ---- on the bus ---- */

static bool faulty(const kelo_bus *b, const char *fault, int slave) {
  return achd_world_faulty(b->device, fault, slave, NULL);
}

static bool request(void *context, achd_bus_state state) {
  kelo_bus *b = context;
  achd_world_lock();
  const bool reached = !(state == ACHD_BUS_SAFE_OP && faulty(b, "no_safe_op", 0)) &&
                       !(state == ACHD_BUS_OPERATIONAL && faulty(b, "no_operational", 0));
  if (reached) b->state = state;
  if (state != ACHD_BUS_OPERATIONAL) /* motors go off in any case */
    for (int i = 0; i < b->ndrives; i++) {
      b->drives[i].operational = false;
      memset(&b->drives[i].command, 0, sizeof b->drives[i].command);
      achd_kelo_drive_cycle(&b->drives[i], &b->kind);
    }
  achd_world_unlock();
  return reached;
}

/* What reaches a drive: a command, or nothing. */
static void deliver_to(kelo_bus *b, achd_kelo_drive *d, const unsigned char *command, int slave) {
  static const struct robif2b_kelo_drive_api_cmd_pdo stop = {
      .command1 = COM1_ENABLE1 | COM1_ENABLE2 | COM1_MODE_VELOCITY,
      .limit1_p = 10,
      .limit1_n = -10,
      .limit2_p = 10,
      .limit2_n = -10};
  d->unheard = command ? 0 : d->unheard + b->cycle;
  d->operational = b->state == ACHD_BUS_OPERATIONAL && d->unheard < watchdog + quick_stop;
  d->undervoltage = faulty(b, "undervoltage", slave);
  d->blind = faulty(b, "encoder", slave);
  d->supply = d->undervoltage ? b->kind.voltage / 2 : b->kind.voltage;
  if (command && d->operational) {
    memcpy(&d->command, command, sizeof d->command);
    d->setpoint_time = b->time;
  } else if (d->unheard >= watchdog) {
    d->command = stop;
  }
  achd_kelo_drive_cycle(d, &b->kind);
}

/* The frame on its way to the slaves. */
static void deliver(kelo_bus *b, const unsigned char *outputs, bool frame) {
  int drive = 0;
  for (int k = 0; k < b->bus.nslaves; k++) {
    achd_slave *slave = &b->slaves[k];
    slave->lost = faulty(b, "lost", k + 1);
    if (b->types[k] == DRIVE)
      deliver_to(b, &b->drives[drive++], frame && !slave->lost ? outputs : NULL, k + 1);
    outputs += slave->output_size;
  }
}

/* The process data of a power board while the drives draw a current [A]. */
static void collect_board(kelo_bus *b, slave_type type, double current, unsigned char *inputs) {
  struct robif2b_kelo_power_board_api_msr_pdo pdo;
  achd_kelo_board_read(&b->board, current, b->kind.voltage, b->cycle, b->time, &pdo);
  const struct robif2b_eddie_power_board_api_msr_pdo other = {.status = pdo.status,
                                                              .time_stamp = pdo.timestamp,
                                                              .current = pdo.output_current,
                                                              .voltage = pdo.output_voltage,
                                                              .power = pdo.output_power};
  if (type == BOARD)
    memcpy(inputs, &pdo, sizeof pdo);
  else
    memcpy(inputs, &other, sizeof other);
}

/* The frame on its way back. */
static void collect(kelo_bus *b, unsigned char *inputs) {
  const achd_physics *physics = achd_world_physics(b->device);
  double current = 0;
  int drive = 0;
  for (int i = 0; i < b->ndrives; i++) current += b->drives[i].supply_current;
  for (int k = 0; k < b->bus.nslaves; k++) {
    const achd_slave *slave = &b->slaves[k];
    achd_kelo_drive *d = b->types[k] == DRIVE ? &b->drives[drive++] : NULL;
    if (d && !slave->lost) {
      struct robif2b_kelo_drive_api_msr_pdo pdo;
      achd_kelo_drive_read(d, &b->kind, physics, b->time, &pdo);
      memcpy(inputs, &pdo, sizeof pdo);
    } else if ((b->types[k] == BOARD || b->types[k] == BOARD_2) && !slave->lost) {
      collect_board(b, b->types[k], current, inputs);
    }
    inputs += slave->input_size;
  }
}

static bool exchange(void *context, const unsigned char *outputs, unsigned char *inputs) {
  kelo_bus *b = context;
  achd_world_lock();
  const bool frame = !faulty(b, "frame", 0);
  deliver(b, outputs, frame);
  const bool advanced = achd_world_advance(b->device, b->cycle);
  b->time += (uint64_t)llround(1e9 * b->cycle);
  if (frame && advanced) collect(b, inputs);
  achd_world_unlock();
  return frame && advanced;
}

static double time_of(void *context) {
  const kelo_bus *b = context;
  achd_world_lock();
  const double time = achd_world_time(b->device);
  achd_world_unlock();
  return time;
}

/* ---- the device ---- */

static void act(void *self, double step) {
  kelo_bus *b = self;
  for (int i = 0; i < b->ndrives; i++)
    achd_kelo_drive_act(&b->drives[i], &b->kind, achd_world_physics(b->device), step);
}

static void *create(achd_world_device *device, char why[ACHD_WORLD_WHY]) {
  kelo_bus *b = calloc(1, sizeof *b);
  if (!b) {
    snprintf(why, ACHD_WORLD_WHY, "there is no memory for a bus");
    return NULL;
  }
  b->device = device;
  b->bus.slaves = b->slaves;
  b->bus.context = b;
  b->bus.request = request;
  b->bus.exchange = exchange;
  b->bus.time = time_of;
  b->time = 1000000000; /* the slaves' clocks began earlier */
  if (read_kind(b, why) && read_slaves(b, why) && find_drives(b, why)) return b;
  free(b);
  return NULL;
}

static void destroy(void *self) {
  free(self);
}

/* Drives are counted among the slaves. */
static bool has(const void *self, const char *fault, int slave) {
  const kelo_bus *b = self;
  return slave <= b->bus.nslaves && (strcmp(fault, "lost") == 0 || b->types[slave - 1] == DRIVE);
}

const achd_world_kind achd_ethercat_kind = {"ethercat", words, faults, create, act,
                                            destroy,    NULL,  false,  has};

achd_bus *achd_kelo_bus_open(const char *interface, const achd_world_kind *const *kinds) {
  achd_world_lock();
  achd_world_device *device = achd_world_open(interface, achd_ethercat_kind.name, kinds);
  kelo_bus *b = device ? achd_world_self(device) : NULL;
  achd_world_unlock();
  return b ? &b->bus : NULL;
}

void achd_kelo_bus_close(achd_bus *bus) {
  const kelo_bus *b = bus->context;
  achd_world_lock();
  achd_world_close(b->device);
  achd_world_unlock();
}
