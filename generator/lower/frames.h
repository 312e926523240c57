/* SPDX-License-Identifier: MIT */
/* frames.h: where the values of links wait whose steps have a text in common (alike.h): at the same place of each link's frame. Frames
 * of all links are of one length and stand one behind the other. */
#ifndef AG_FRAMES_H
#define AG_FRAMES_H

#include "lower/alike.h"

typedef struct ag_frames ag_frames;

ag_frames *ag_frames_new(const ag_plan *plan, ag_arena *arena);

/* Ties what a repeat's steps make for others and take from them to their frames, and drops steps for which that is not possible: these
 * stand behind the others then. waits: by node, whether other steps or the results ask for it. */
void ag_frames_tie(ag_frames *frames, ag_repeat *repeat, const bool *waits);

/* Nodes from `first` to the one before `behind` of an order are one step. */
typedef struct ag_block {
  int first, behind;
  const ag_repeat *repeat;
  int call; /* the how-many-eth of its steps */
} ag_block;

typedef struct ag_blocks { /* of a way, in its order */
  ag_block *of;
  int count;
} ag_blocks;

/* When a way's values are made, and asked for the last time: for the places of frames. blocks: of its order. */
void ag_frames_follow(ag_frames *frames, const ag_sequence *way, const ag_blocks *blocks);

/* Gives places; returns how many there are. place: by node, -1: it is in no frame; base: where the frame of link 0 begins. */
int ag_frames_place(ag_frames *frames, int *place, int *stride, int *base);

#endif
