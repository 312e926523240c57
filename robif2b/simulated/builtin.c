/* builtin.c: the compiled-in worlds and their models. */
#include "world.h"

#include "gen3_model.h"

const achd_builtin achd_builtin_worlds[] = {{"gen3", "model builtin:gen3\n"
                                                     "device 192.168.1.10 gen3\n"},
                                            {NULL, NULL}};

const achd_builtin achd_builtin_models[] = {{"gen3", gen3_model}, {NULL, NULL}};
