/* kinds.c: see kinds.h */
#include "kinds.h"

#include "arm.h"
#include "kelo_bus.h"

const achd_world_kind *const achd_world_kinds[] = {&achd_gen3_kind, &achd_arm_kind,
                                                   &achd_ethercat_kind, NULL};
