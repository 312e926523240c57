/* SPDX-License-Identifier: MIT */
/* mjcf_equalities.h: <equality>: what ties bodies together, and joints to joints. */
#ifndef AG_MJCF_EQUALITIES_H
#define AG_MJCF_EQUALITIES_H

#include "model/mjcf_reader.h"

/* <connect> and <weld> become ties of the document, <joint> a joint that mimics another, or one that
 * is fixed. The bodies have been read. */
bool ag_mjcf_equalities(ag_mjcf *m);

#endif
