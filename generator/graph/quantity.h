/* SPDX-License-Identifier: MIT */
/* quantity.h: what functions take and give. A quantity carries its name, shape, units, meaning and
 * frame once; struct fields, doc comments, columns, --inspect and the evaluator all read them here.
 */
#ifndef AG_QUANTITY_H
#define AG_QUANTITY_H

#include "graph/interface.h"

typedef enum ag_shape {
  AG_SCALAR,
  AG_JOINTS,       /* one per joint, indexed by the joint enum */
  AG_MOTORS,       /* one per motor, indexed by the motor enum */
  AG_ROWS,         /* one per constraint row, indexed by the row enum */
  AG_MASKS,        /* the same of the rows that can be masked; the others' slots are not read */
  AG_SET_POINTS,   /* the same of the rows that take a set-point */
  AG_BOUNDS,       /* the same of the rows whose bounds come at run time */
  AG_COMPLIANCES,  /* the same of the soft rows whose compliance comes at run time */
  AG_WEIGHTS,      /* the same of the rows whose weights of drivers come at run time */
  AG_VECTOR,       /* x y z */
  AG_WRENCH,       /* lin (force) and ang (moment) */
  AG_TWIST,        /* lin and ang velocity */
  AG_ACCELERATION, /* lin and ang acceleration */
  AG_MOMENTUM,     /* lin and ang */
  AG_DIRECTIONS,   /* `count` six-vectors lin, ang */
  AG_ROTATION,     /* 3 x 3, row by row */
  AG_QUATERNION,   /* w x y z */
  AG_YAW,          /* an angle: of a planar base */
  AG_PLANE,        /* x y yaw */
  AG_POSE,         /* p and R */
  AG_INERTIA,      /* m, mx my mz, xx xy xz yy yz zz */
  AG_TENSOR,       /* xx xy xz yy yz zz */
  AG_JACOBIAN,     /* lin and ang, each 3 x velocities */
  AG_PARTIALS,     /* 3 x velocities */
  AG_PACKED,       /* lower triangle of a velocities x velocities matrix, by rows */
  AG_ROWS_PACKED,  /* lower triangle of a rows x rows matrix, by rows */
  AG_MAP,          /* rows x `count`: what a unit of each row's force adds to `count` numbers */
  AG_LIST,         /* `count` numbers */
  AG_DERIVATIVE,   /* of what, a row each, by what, a column each: `count` is ag_derivative's */
  AG_MATRIX,       /* the same of what is no derivative */
  AG_NSHAPES
} ag_shape;

/* What is differentiated: numbers of the base and the joints, of the joints, of the rows. */
typedef enum ag_of { AG_OF_VELOCITIES, AG_OF_JOINTS, AG_OF_ROWS, AG_NOF } ag_of;

/* By what; of positions and velocities those of the base come first. */
typedef enum ag_by {
  AG_BY_POSITIONS,
  AG_BY_VELOCITIES,
  AG_BY_TORQUES,
  AG_BY_SET_POINTS,
  AG_BY_WRENCH,
  AG_BY_PARAMETERS, /* the header's, of its bodies' inertias and of its joints */
  AG_NBY
} ag_by;

/* As the scripts write them; NULL behind the last. */
extern const char *const ag_of_names[AG_NOF + 1], *const ag_by_names[AG_NBY + 1];

/* The `count` of a quantity of shape AG_DERIVATIVE or AG_MATRIX. */
int ag_derivative(ag_of of, ag_by by);

/* What a difference in an output is compared with (--check): the terms that are summed up in it. */
typedef enum ag_terms {
  AG_TERMS_VELOCITIES,    /* products of velocities, or not distinguished */
  AG_TERMS_NONE,          /* it is relative already */
  AG_TERMS_TORQUES,       /* those of the equation of motion */
  AG_TERMS_ROTORS,        /* the same, and what accelerates the rotors */
  AG_TERMS_JOINTS,        /* accelerations of joints: M^-1 times torques */
  AG_TERMS_FORCES,        /* of rows */
  AG_TERMS_WORK,          /* torques times accelerations */
  AG_TERMS_SOLVED,        /* accelerations of the base and along rows; of a solve by its torques */
  AG_TERMS_ACCELERATIONS, /* of frames: of a solve by its torques, else by what is drawn */
  AG_TERMS_DRIFT,         /* the same at joint accelerations of 0 */
  AG_TERMS_LENGTHS,       /* levers: places, Jacobians */
  AG_TERMS_TWISTS,        /* velocities of points */
  AG_TERMS_MOMENTA,
  AG_TERMS_POTENTIAL,
  AG_TERMS_KINETIC,
  AG_TERMS_INERTIAS, /* elements of M */
  AG_NTERMS
} ag_terms;

/* As the scripts write them (state.lua); NULL behind the last. */
extern const char *const ag_terms_names[AG_NTERMS + 1];

/* Units: [0] of linear parts, prismatic joints and translational rows, [1] of angular ones. */
typedef struct ag_quantity {
  const char *name; /* "q", "acc.tool_frame": column prefix and struct field */
  ag_shape shape;
  const char *unit[2];
  const char *doc; /* quantity of what, with respect to what, at which point, in which frame */
  int count; /* of six-vectors in AG_DIRECTIONS, of columns in AG_MAP; of numbers in AG_LIST; AG_DERIVATIVE */
  int first;              /* its first element among the function's inputs or outputs */
  int size;               /* number of elements */
  ag_terms terms;         /* of an output */
  bool zeroed;            /* an output that NOT_FINITE makes 0 */
  const char *range;      /* what an input must be, its name as %s; NULL: finite is enough */
  const double *defaults; /* of an input: by element, in the initialiser; NULL: 0 */
} ag_quantity;

/* A place in an array: a number, or that of a joint, of a motor, of a row or of a velocity of the robot. */
typedef enum ag_index_of { AG_NUMBER, AG_JOINT, AG_MOTOR, AG_ROW, AG_VELOCITY } ag_index_of;

typedef struct ag_index {
  ag_index_of of;
  int at;
} ag_index;

/* Where an element stands: in which quantity, of several the which, in which field, at which indices. */
typedef struct ag_path {
  const char *quantity; /* "acc.tool" */
  int which;            /* of AG_DIRECTIONS, from 1 on; 0: there is one */
  const char *field;    /* "lin"; "": the quantity has none */
  ag_index index[2];
  int indices;
} ag_path;

typedef struct ag_element { /* one scalar of a quantity */
  const char *column;       /* "b.tool.lin_x" */
  ag_path path;
  const char *unit; /* "m/s^2"; "1" where it has none */
  int joint;        /* of an AG_JOINTS element; AG_NO_JOINT, AG_BASE_YAW */
} ag_element;

typedef struct ag_list { /* the inputs or the outputs of a function */
  ag_quantity *quantities;
  int nquantities;
  ag_element *elements;
  int nelements;
} ag_list;

/* What a script or test says of a quantity. */
typedef struct ag_declaration {
  const char *name;
  ag_shape shape;
  int count;
  const char *linear_unit, *angular_unit;
  const char *doc;
} ag_declaration;

/* Adds a quantity to a list; its elements, which have no nodes yet, are made from the shape, the
 * header's joints and rows. */
ag_quantity *ag_quantity_add(ag_header *header, ag_list *list, const ag_declaration *declared);

/* How many rows and columns a quantity of shape AG_DERIVATIVE or AG_MATRIX has. */
int ag_derivative_rows(const ag_header *header, const ag_quantity *quantity);
int ag_derivative_columns(const ag_header *header, const ag_quantity *quantity);

/* Whether elements of a quantity that are always zero are known and left out: of derivatives and regressors. */
bool ag_is_sparse(const ag_quantity *quantity);

/* Whether a quantity with numbers by row (ag_by_row of function.h) has one for this row. */
bool ag_row_counts(const ag_row_info *row, ag_shape shape);

/* Whether a row weighs drivers, by constants or by numbers that come at run time. */
bool ag_row_weighs(const ag_row_info *row);

/* A shape's name as Lua scripts and messages write it. */
extern const char *const ag_shape_names[AG_NSHAPES];

/* By name; NULL: there is none. */
const ag_quantity *ag_quantity_of(const ag_list *list, const char *name);

#endif
