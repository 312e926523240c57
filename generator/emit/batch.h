/* batch.h: functions over several states at once, lane by lane of the CPU's vectors. */
#ifndef AG_BATCH_H
#define AG_BATCH_H

#include "base/text.h"
#include "graph/program.h"

/* NAME_F_batch: header->batch states at once. */
void ag_emit_batch_declaration(ag_text *text, const ag_header *header, const ag_program *program);
/* The same function with its body; linkage: what comes before its type, such as "static inline ".
 */
void ag_emit_batch_definition(ag_text *text, const ag_header *header, const ag_program *program,
                              const char *linkage);

#endif
