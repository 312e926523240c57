/* SPDX-License-Identifier: MIT */
/* casadi.h: functions as CasADi calls external ones: casadi.external("NAME_F", "library.so"). */
#ifndef AG_CASADI_H
#define AG_CASADI_H

#include "base/err.h"
#include "emit/header.h"

/* What the solver inside such a file is called, behind the name: "gen3_solver". */
#define AG_CASADI_SOLVER "_solver"

/* A source: the functions of the header, static, and around each its external function NAME_F; of id, fd and achd, whose
 * derivative is in the header too, also jac_NAME_F. */
bool ag_casadi_text(const ag_header *header, const ag_header_options *options, const char **text,
                    ag_err *err);

#endif
