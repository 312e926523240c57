/* family.h: the other functions against each other, and their finite differences. */
#ifndef AG_FAMILY_H
#define AG_FAMILY_H

#include "check/checker.h"

void ag_check_family(ag_checker *checker);

#endif
