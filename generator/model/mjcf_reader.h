/* SPDX-License-Identifier: MIT */
/* mjcf_reader.h: what the files that read MJCF share: MuJoCo's settings, classes of defaults, and
 * how an attribute is looked up. */
#ifndef AG_MJCF_READER_H
#define AG_MJCF_READER_H

#include "model/compose.h"
#include "model/markup.h"
#include "model/pose.h"

#include <stdbool.h>

/* A class of <default>: what elements of it have where they say nothing themselves. */
typedef struct ag_mjcf_class {
  const char *name;
  int parent; /* -1: none */
  const ag_element *element;
} ag_mjcf_class;

typedef enum ag_from_geoms { AG_NEVER, AG_ALWAYS, AG_WHERE_MISSING } ag_from_geoms;

/* <compiler>, with MuJoCo's defaults. */
typedef struct ag_mjcf_settings {
  bool degrees, autolimits, balance_inertia, strip_path;
  char euler[4]; /* axes of <.. euler="">: lower case moves with the body, upper case stays */
  ag_from_geoms from_geoms;
  double least_group, most_group;              /* of geoms that have a mass */
  double least_mass, least_moment, total_mass; /* total 0 or less: as it comes */
  const char *mesh_folder;                     /* NULL: the file's */
} ag_mjcf_settings;

/* A body or a site, as equalities name it. */
typedef struct ag_mjcf_place {
  const char *name, *link; /* link NULL: it is none of the robot's */
  bool site;
  ag_pose pose; /* in the world, as the file shows the robot (MuJoCo's qpos0) */
} ag_mjcf_place;

typedef struct ag_mjcf {
  ag_urdf *doc;
  ag_arena *arena;
  ag_err *err;
  ag_element *root;
  ag_mjcf_settings settings;
  ag_mjcf_class *classes; /* [0] is the one that all have */
  int nclasses;
  int nbodies, njoints; /* so far, in MuJoCo's order; the world is body 0 */
  ag_mjcf_place *places;
  int nplaces;
  double *strongest;    /* of the actuators of each joint: the largest force [N m, N] */
  double mass_left_out; /* of bodies that are none of the robot's [kg] */
} ag_mjcf;

/* An element, and where it takes from what it does not say. */
typedef struct ag_mjcf_item {
  const ag_mjcf *m;
  const ag_element *element;
  const char *kind;  /* the name under which <default> has it */
  int class_;        /* index */
  const char *whose; /* "joint \"elbow\"", for messages */
} ag_mjcf_item;

/* The class of an element; inherited: that of its body's `childclass`. Fails on one that nobody
 * declared. */
bool ag_mjcf_class_of(const ag_mjcf *m, const ag_element *element, const char *word, int inherited,
                      int *class_);

/* Reads all <default>, and <compiler>. */
bool ag_mjcf_settings_read(ag_mjcf *m);

/* An attribute of the element or its class; NULL: neither has it. */
const char *ag_mjcf_attribute(const ag_mjcf_item *item, const char *name);

/* As many numbers as there are, least to most; count 0: the attribute is missing, and out stays. */
bool ag_mjcf_numbers(const ag_mjcf_item *item, const char *name, int least, int most, double *out,
                     int *count);

/* One number; stays as it is where it is missing. */
bool ag_mjcf_number(const ag_mjcf_item *item, const char *name, double *out);

/* "true" or "false", or "auto" where out is 2 or may be; stays as it is where it is missing. */
bool ag_mjcf_choice(const ag_mjcf_item *item, const char *name, int *out);

/* What stands in the file and is not in the model. */
#define AG_MJCF_LOSS(m, element, ...)                                                              \
  ag_note_add(&(m)->doc->losses, &(m)->doc->nlosses, (m)->arena,                                   \
              ag_document_line((m)->doc, element), __VA_ARGS__)

#endif
