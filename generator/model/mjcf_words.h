/* SPDX-License-Identifier: MIT */
/* mjcf_words.h: words of an MJCF file that are none of MuJoCo's, or newer than those that are known here. */
#ifndef AG_MJCF_WORDS_H
#define AG_MJCF_WORDS_H

#include "model/mjcf_reader.h"

/* Notes each as a warning and as a loss: elements of the sections that are read, and the attributes of these. */
void ag_mjcf_tell_words(const ag_mjcf *m);

#endif
