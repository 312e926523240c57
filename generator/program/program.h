/* program.h: what a header is made of: functions over named quantities, each a scalar DAG.
 *
 * A quantity carries its name, shape, units, meaning and frame once; struct fields, doc comments,
 * columns, --inspect and the evaluator all read them here. */
#ifndef AG_PROGRAM_H
#define AG_PROGRAM_H

#include "program/dag.h"

typedef enum ag_shape {
  AG_SCALAR,
  AG_JOINTS,       /* one per joint, indexed by the joint enum */
  AG_ROWS,         /* one per constraint row, indexed by the row enum */
  AG_MASKS,        /* the same of the rows that can be masked; the others' slots are not read */
  AG_SET_POINTS,   /* the same of the rows that take a set-point */
  AG_BOUNDS,       /* the same of the rows whose bounds come at run time */
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
  AG_NSHAPES
} ag_shape;

/* Units: [0] of linear parts, prismatic joints and translational rows, [1] of angular ones. */
typedef struct ag_quantity {
  const char *name; /* "q", "acc.tool_frame": column prefix and struct field */
  ag_shape shape;
  const char *unit[2];
  const char *doc; /* quantity of what, with respect to what, at which point, in which frame */
  int count;       /* of six-vectors in AG_DIRECTIONS, of columns in AG_MAP */
  int first;       /* its first element among the program's inputs or outputs */
  int size;        /* number of elements */
} ag_quantity;

enum { AG_NO_JOINT = -1, AG_BASE_YAW = -2 };

typedef struct ag_element { /* one scalar of a quantity */
  const char *column;       /* "b.tool.lin_x" */
  const char *access;       /* "b[GEN3_TOOL_LIN_X]", behind in-> or out-> */
  const char *unit;         /* "m/s^2"; "1" where it has none */
  ag_id node;
  int joint; /* of an AG_JOINTS element; AG_NO_JOINT, AG_BASE_YAW */
} ag_element;

typedef struct ag_list { /* the inputs or the outputs of a program */
  ag_quantity *quantities;
  int nquantities;
  ag_element *elements;
  int nelements;
} ag_list;

typedef struct ag_joint_info {
  const char *id;   /* C identifier */
  const char *name; /* URDF name */
  bool prismatic;
} ag_joint_info;

/* An angle whose sine and cosine the functions take: multiplier q[joint] + offset. The first are
 * the joints themselves, then those that mimic one, then the yaw of a planar base. */
typedef struct ag_angle {
  int joint; /* or AG_BASE_YAW */
  double multiplier, offset;
} ag_angle;

typedef enum ag_row_kind { AG_ROW_LINEAR, AG_ROW_ANGULAR, AG_ROW_FREE } ag_row_kind;

typedef struct ag_row_info {
  const char *group; /* C identifier */
  const char *name;  /* "lin_x", "1" */
  ag_row_kind kind;
  bool maskable;
  bool set_point; /* b is given at run time */
  bool bounds;    /* lo and hi are given at run time */
} ag_row_info;

typedef struct ag_status_bit {
  unsigned bit;
  const char *name; /* "SINGULAR" */
  const char *doc;
  ag_id node; /* boolean */
} ag_status_bit;

typedef struct ag_region {
  const char *title;  /* "outward: joint_2 -> half_arm_1_link" */
  const char *source; /* "motion.lua:41" */
} ag_region;

/* Operations of the arithmetic; comparisons, probes and status apart. */
typedef struct ag_cost {
  int add, mul, div, neg; /* add: additions and subtractions */
  int trig;               /* sines and cosines */
  int select, compare;
  int probe; /* finite tests: 0 x and their sums */
  int live;  /* most values alive at a time */
  int stack; /* estimate [bytes] */
} ag_cost;

typedef struct ag_program {
  const char *function; /* "achd" */
  const char *takes,
      *fills;      /* whose structs it takes and fills: the function's own, or another's */
  const char *doc; /* lines of its comment */
  const char *formulation;
  int flops_recursion, flops_joint; /* of each formulation's best; 0: not tried */
  ag_dag dag;
  ag_list in, out;
  ag_status_bit *status;
  int nstatus;
  ag_region *regions;
  int nregions;
  ag_id *order; /* live nodes in order of evaluation (schedule.h) */
  int norder;
  bool *statement; /* by node: computed by a statement of its own; else in the text of its users */
  ag_cost cost;
} ag_program;

typedef struct ag_remark {
  const char *key, *text;
} ag_remark;

/* What a layout attaches to a link or to the joint that carries it. */
typedef enum ag_mark_kind {
  AG_MARK_GROUP,
  AG_MARK_WRENCH,
  AG_MARK_JOINT,
  AG_MARK_FRAME
} ag_mark_kind;

typedef struct ag_mark {
  ag_mark_kind kind;
  int link;         /* of the model: the frame, or the child of the joint */
  const char *name; /* of the group or wrench; NULL: none */
  const char *text; /* for people: "locked at 0.02", "along the axes of {base_link}" */
  const char *axes; /* of a group: "base", "link", "input", "free", "joint" */
  int to; /* of a group that is a tie: the link whose motion relative to `link` it holds; -1 */
  bool physical; /* group or wrench: nature gives it; else motors */
  bool spatial;  /* group: b is the spatial acceleration */
  bool yields;   /* group: b comes on top of what artificial wrenches cause */
} ag_mark;

typedef struct ag_header {
  ag_arena *arena;
  const char *prefix; /* "gen3"; float: "gen3f" */
  const char *upper;  /* "GEN3" */
  const char *robot;  /* URDF robot name */
  bool single;        /* float */
  int batch;          /* states in a batch; 0: no batch functions */
  ag_joint_info *joints;
  int njoints;
  int nbase; /* velocities of the base, before those of the joints: 0, 3 (planar) or 6 (floating) */
  ag_angle *angles;
  int nangles;
  ag_row_info *rows;
  int nrows;
  ag_remark *remarks; /* for the banner: robot, rows, rank, what was regrouped */
  int nremarks;
  ag_mark *marks; /* groups and wrenches in the layout's order, then joints and frames */
  int nmarks;
  ag_program **programs;
  int nprograms;
} ag_header;

/* A program on its own: the caller adds it to header->programs. */
ag_program *ag_program_new(ag_arena *arena, const char *function, const char *doc);

/* Declares a quantity; its elements are made from the shape, the header's joints and rows. Inputs
 * get their nodes at once, outputs by ag_program_set. Returns the quantity. */
ag_quantity *ag_program_declare(ag_header *header, ag_program *program, bool output,
                                const char *name, ag_shape shape, int count,
                                const char *linear_unit, const char *angular_unit, const char *doc);

/* Whether a quantity of shape AG_ROWS, AG_MASKS, AG_SET_POINTS or AG_BOUNDS has an element for a
 * row. */
bool ag_row_counts(const ag_row_info *row, ag_shape shape);

/* The name of the base's velocity i < nbase: "lin_x", "yaw". */
const char *ag_base_velocity(const ag_header *header, int i);

void ag_program_status(ag_header *header, ag_program *program, unsigned bit, const char *name,
                       const char *doc, ag_id condition);
void ag_program_region(ag_header *header, ag_program *program, const char *title,
                       const char *source);

/* A shape's name as Lua scripts and messages write it. */
extern const char *const ag_shape_names[AG_NSHAPES];

char *ag_upper(ag_arena *arena, const char *text);

/* A text, which may hold any name of a URDF, as it can stand inside a comment and on one line: the
 * signs that open and close comments are torn apart, control characters become blanks. */
char *ag_comment(ag_arena *arena, const char *text);

#endif
