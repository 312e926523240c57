/* builtin.c: see builtin.h */
#include "builtin.h"

#include "gen3_model.h"
#include "platform_model.h"
#include "robile_model.h"

#include <stddef.h>

const achd_builtin achd_builtin_worlds[] = {{"gen3", "model builtin:gen3\n"
                                                     "device 192.168.1.10 gen3\n"},
                                            {"robile",
                                             "model builtin:robile\n"
                                             "device net0 ethercat\n"
                                             "slaves board junction drive junction drive\n"
                                             "drives left right\n"
                                             "pivot_offset 1.523339 2.399158\n"},
                                            {NULL, NULL}};

const achd_builtin achd_builtin_models[] = {
    {"gen3", gen3_model}, {"robile", robile_model}, {"platform", platform_model}, {NULL, NULL}};
