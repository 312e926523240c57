/* SPDX-License-Identifier: MIT */
/* target.h: what code is made for. */
#ifndef AG_TARGET_H
#define AG_TARGET_H

#include <stdbool.h>

/* --dispatch: two copies of every function. */
typedef enum ag_copy {
  AG_COPY_ALONE,   /* there are no two */
  AG_COPY_CHOOSES, /* the one for every processor, whose functions call the other where they may */
  AG_COPY_WIDE     /* the one with AVX2 and FMA */
} ag_copy;

typedef struct ag_target {
  bool small; /* the shortest code */
  bool read;  /* code that no cache holds, which is read anew in every call */
  bool
      apart; /* the general way is a function of its own: what comes before the choice is the guard alone */
  bool repeats; /* steps that are alike for several links are one function (lower/repeats.h) */
  int parts;    /* operations of a part at most, as requested (ag_part_of) */
  bool
      limbs; /* limbs of equal shape in the lanes of vectors; of the shortest code: functions that are called for each */
  int cache; /* bytes of a first-level cache, into which longer functions must fit (lower/choice.h); 0: as said above */
  bool one_by_one;  /* there not by limbs as lanes */
  int batch;        /* states that are computed at once; 0: one */
  bool prefetch;    /* functions ask for their own next lines of code */
  bool offsets;     /* the header has a table of columns and where they stand */
  bool status_text; /* the header has a function that tells what a status means */
  bool branchless;  /* what is chosen is chosen by masks */
  bool single;      /* the real type is float */
  ag_copy dispatch;
} ag_target;

#endif
