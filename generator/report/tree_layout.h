/* SPDX-License-Identifier: MIT */
/* tree_layout.h: where everything stands in the drawing of a kinematic tree.
 *
 * Every body is a block: the joint that carries it with its text, below it a card that lists the
 * frames on the body, right of the card the groups and wrenches at these frames, each led to its
 * frame's line. A joint stands on its block's spine, a vertical near the left edge; a body's
 * children stand side by side below it, in several lines where one would be wider than a screen. Blocks are sized by what is written in them, subtrees are
 * rectangles that do not overlap. Lengths are in pixels. */
#ifndef AG_TREE_LAYOUT_H
#define AG_TREE_LAYOUT_H

#include "base/text.h"
#include "model/bodies.h"
#include "graph/graph.h"
#include "report/svg.h"

enum {
  AG_PADDING = 12,   /* inside a card */
  AG_SYMBOL = 18,    /* half the room of a joint's symbol */
  AG_LINE = 16,      /* of a joint's text */
  AG_HEAD_LINE = 30, /* of a card's head */
  AG_INDENT = 16,    /* of what is fixed to a frame */
  AG_AXES = 30,      /* room of a frame's axes */
  AG_TRACK = 9,      /* between the leads of marks */
  AG_DROP = 22,      /* from a block to its children */
  AG_TRUNK = 16,     /* room of the line that leads to further lines of children */
  AG_SCREEN = 1300,  /* what children side by side are no wider than, if one alone is not */
  AG_CHIP = 18,
  AG_CHIP_GAP = 3,
  AG_WRENCH_HIGH = 46
};

typedef struct ag_tree_fonts_list {
  ag_font title, joint_name, link_name, plain, small, faint, note, motor, environment, chip_on,
      chip_off;
} ag_tree_fonts_list;

extern const ag_tree_fonts_list ag_tree_fonts;

typedef struct ag_tree_row { /* a frame's line in a card */
  const ag_frame *frame;
  int depth;                              /* fixed joints from the body's own link */
  int parent;                             /* row; -1: none */
  const char *name, *lock, *note, *place; /* written from left to right; "" where there is none */
} ag_tree_row;

typedef struct ag_tree_node { /* a body, or the base */
  int parent;                 /* node; -1: none */
  const ag_inertia *inertia;
  ag_tree_row *rows;
  int nrows;
  const char **lines; /* beside the joint */
  int nlines;
  const char *mass, *centre;
  const ag_mark **marks;
  int *mark_rows; /* ascending */
  int nmarks;
  /* sizes */
  double joint_high, head_high, card_wide, card_high, block_wide, block_high;
  /* of the subtree: width; the block's and the children's left edges, and the spine, from its own;
   * height */
  double wide, block_left, children_left, spine, high;
  double x, y; /* of the subtree's left edge; of the block's top */
} ag_tree_node;

typedef struct ag_tree {
  const ag_model *model;
  const ag_reduced *reduced;
  const ag_header *header;
  ag_arena *arena;
  ag_tree_node *nodes; /* the base, then the bodies in their order */
  int nnodes;
  ag_text *to;
} ag_tree;

/* Fills the nodes of a tree with what is written in them, and sizes them. */
void ag_tree_fill(ag_tree *tree);
/* Gives every node of a tree its place. */
void ag_tree_place(ag_tree *tree, double left, double top);

/* The left edge of a frame's name, from the card's. */
double ag_row_left(const ag_tree_row *row);
/* The middle of a row, from the card's top. */
double ag_row_middle(const ag_tree_node *node, int row);
/* The left edge of the marks, from the card's. */
double ag_marks_left(const ag_tree_node *node);
/* The top of mark k, from the card's: at its row, or below the mark before. */
double ag_mark_top(const ag_tree_node *node, int k);
/* Width and height of an annotation [pixels]. */
double ag_mark_width(const ag_tree *tree, const ag_mark *mark);
double ag_mark_height(const ag_mark *mark);
/* Where mark k's lead leaves the card, from its top: leads of one row side by side. */
double ag_lead_from(const ag_tree_node *node, int k);

/* The rows of a group. */
int ag_row_count(const ag_tree *tree, const ag_mark *mark);
/* Whether a group's rows are on joints: they are numbered, and the joints say which is theirs. */
bool ag_on_joints(const ag_mark *mark);
/* "6 rows, artificial, maskable" */
const char *ag_group_summary(const ag_tree *tree, const ag_mark *mark);
/* "physical wrench: " and its text. */
const char *ag_wrench_summary(const ag_tree *tree, const ag_mark *mark);
/* A number for people: no -0, nothing that is rounding only. */
const char *ag_tree_number(ag_arena *arena, double x);

#endif
