/* SPDX-License-Identifier: MIT */
/* lane_signs.h: chooses the signs of the candidates that are there, with few products to turn them. */
#ifndef AG_LANE_SIGNS_H
#define AG_LANE_SIGNS_H

#include "limbs/vectorizer.h"

void ag_choose_signs(vectorizer *q);

#endif
