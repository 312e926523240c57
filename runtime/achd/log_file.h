/* SPDX-License-Identifier: MIT */
/* log_file.h: writes a log (achd/log.h) to a file. Of the library achd_files, which needs a file
 * system; libachd itself does not contain it.
 *
 *   CSV    first line: time [s],name [unit],...; then one line per row, times with nine decimals,
 *          numbers with as few digits as give the same number back; nan, inf, -inf. Names with
 *          commas or quotation marks are quoted (RFC 4180). Decimal points in every locale.
 *   NPY    a structured array of NumPy, one field per signal; numpy.load reads it at once:
 *          a["q.joint_1"], or by its title with the unit a["q.joint_1 [rad]"]; a["time"] [s].
 *          float64, in the float build float32. Titles are left out where the header would
 *          exceed the 10000 characters that numpy.load accepts.
 *
 * Call these functions outside of the control loop: after it, or in another thread. They never
 * print. An open file is complete up to the last call of achd_log_file_write. */
#ifndef ACHD_LOG_FILE_H
#define ACHD_LOG_FILE_H

#include <achd/log.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum achd_log_format { ACHD_LOG_CSV, ACHD_LOG_NPY } achd_log_format;

/* A file that is being written. Initialise it with zeros. */
typedef struct achd_log_file {
  FILE *file; /* NULL: not open */
  achd_log_format format;
  achd_log_status status; /* ACHD_LOG_NOT_WRITTEN from the first failure on */
  uint64_t rows;          /* written so far */
  int nsignals;           /* of its header */
  long count_at;          /* NPY: place of the number of rows in the file */
} achd_log_file;

/* Opens a file, replacing an old one, and writes its header. Returns ACHD_LOG_OK,
 * ACHD_LOG_BAD_ARGUMENT (also for a file that is open, or a log that has not been started),
 * ACHD_LOG_NOT_TEXT, ACHD_LOG_TOO_MANY, ACHD_LOG_NOT_OPEN, or ACHD_LOG_NOT_WRITTEN. Unless it
 * returns ACHD_LOG_OK, no file is open. */
achd_log_status achd_log_file_open(achd_log_file *file, const char *path, achd_log_format format,
                                   const achd_log *log);

/* Writes all rows that are in the log now, and removes them from it. Returns ACHD_LOG_OK,
 * ACHD_LOG_BAD_ARGUMENT, ACHD_LOG_NOT_OPEN, or ACHD_LOG_NOT_WRITTEN; after a failure the rows that
 * have not been written stay in the log, but what the system had accepted before may be lost. */
achd_log_status achd_log_file_write(achd_log_file *file, achd_log *log);

/* Closes the file. Returns ACHD_LOG_NOT_WRITTEN if anything of it could not be written, and
 * ACHD_LOG_NOT_OPEN if it is not open. */
achd_log_status achd_log_file_close(achd_log_file *file);

#ifdef __cplusplus
}
#endif

#endif
