/* SPDX-License-Identifier: MIT */
/* decisions.h: comparisons that choose between two formulas. At random points a row is never nearly
 * dependent on others, and no torque at its limit twice; so that both sides of every branch are
 * compared, a point may turn them: a definition asks here whether a < b, gets the other answer than
 * the doubles give, and the program that is compared (exact.h) gets the same answer where it compares
 * the same two exact numbers. A program that compares others does not, and differs. */
#ifndef AG_DECISIONS_H
#define AG_DECISIONS_H

#include "base/arena.h"
#include "base/field.h"

typedef struct ag_decision {
  ag_residue x;  /* a - b of a < b, exact; of one that only its right side tells: b */
  bool by_right; /* the program may compare anything with it */
  bool less;     /* the answer */
  bool met;      /* the program has made this comparison */
  bool due;      /* it has to, but of constants */
} ag_decision;

typedef enum ag_masking { AG_AS_DRAWN, AG_UNMASKED, AG_MASKED, AG_OTHERS_MASKED } ag_masking;

typedef struct ag_turning { /* which answers are turned, and which rows are in force */
  int number;               /* 0: all is as the doubles say */
  uint64_t seed;            /* of the answers that are turned; 0: all are */
  bool round;               /* the others are */
  bool reach,
      reach_round; /* whether rows are in reach is turned, too; those that seed says, or the others */
  bool constants; /* so is what is the same at every point */
  ag_masking masking;
} ag_turning;

typedef struct ag_decisions {
  ag_arena *arena;
  ag_decision *list;
  int count;
  ag_residue
      *folded; /* x of those that the program has not compared elsewhere: what is the same here is a
                         constant, which it knows the answer of */
  int nfolded;
  ag_residue *before,
      *constants; /* x of the point before, if nothing was turned there; of two points */
  int nbefore, nconstants;
  bool general;        /* of two solves (program.h) turned points take the general one */
  bool held;           /* nothing is turned for now */
  int unusual, nusual; /* which of the answers that are usual is not; how many were asked */
  ag_turning turn;
} ag_decisions;

/* Forgets what was decided; from now on as `turn` says. */
void ag_decisions_start(ag_decisions *decisions, ag_turning turn);
/* Number k, from 1, of the turns that show all sides of all branches in the end. Of pairs the one is the other turned
 * round: with all rows in force, with reach turned, with rows masked, and both of these in all four ways. */
ag_turning ag_turn_of(int k);

/* Keeps what the program has not compared of what was decided at a point, and what was the same at the point before, to
 * tell constants by; and, at the same point, strikes out what it asks where it goes another way. What is the same at
 * two random points stays: a program that asks it compares another number that is equal by chance. */
void ag_decisions_keep(ag_decisions *decisions);
void ag_decisions_strike(ag_decisions *decisions);

/* Whether a < b. */
bool ag_decide(ag_decisions *decisions, ag_number a, ag_number b);
/* The same, where the answer is to be this one whatever the doubles say, unless it is turned, or number `unusual`, from 1, of
 * these: then also if the program does not ask it. */
bool ag_decide_usual(ag_decisions *decisions, ag_number a, ag_number b, bool usual);
/* Whether something that the definitions do not know, usually less, is below b. Most turns leave it so: a
 * row that is out of reach hides whatever else is turned. */
bool ag_decide_reach(ag_decisions *decisions, ag_number b);
/* The answer is this one, whatever the doubles say: of numbers that are equal to rounding; due: the program has to ask
 * it, whatever comes of it. */
void ag_decide_as(ag_decisions *decisions, ag_number a, ag_number b, bool less, bool due);
/* Whether a comparison of the definition is missing in the program. */
bool ag_decisions_left(const ag_decisions *decisions);

/* What was decided of a < b; NULL: nothing. */
ag_decision *ag_decision_of(const ag_decisions *decisions, ag_residue a, ag_residue b);

#endif
