/* SPDX-License-Identifier: MIT */
/* log_file.c: see achd/log_file.h */
#include <achd/log_file.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NUMBER_TEXT = 64,
  HEADER_STEP = 64,      /* NumPy aligns data to this */
  HEADER_PREFIX = 10,    /* magic string, version, length */
  NUMPY_LARGEST = 10000, /* header that numpy.load accepts by default */
  TITLE_TEXT = 2 * ACHD_SIGNAL_TEXT + 4
};

/* Where text goes: to a file, or only counted. */
typedef struct sink {
  FILE *file; /* NULL: counted only */
  size_t length;
} sink;

static void put_character(sink *s, char c) {
  if (s->file) putc(c, s->file);
  s->length++;
}

static void put(sink *s, const char *text) {
  for (; *text; text++) put_character(s, *text);
}

/* ---- numbers ---- */

#ifdef ACHD_SINGLE
enum { FEWEST = 6, MOST = 9 };
static achd_real read_number(const char *text) {
  return strtof(text, NULL);
}
#else
enum { FEWEST = 15, MOST = 17 };
static achd_real read_number(const char *text) {
  return strtod(text, NULL);
}
#endif
static const double exact_integers = 1e6; /* float has them too */

/* The decimal point of the locale, of one byte or several, becomes a point. */
static void point(char *text) {
  const char *comma = localeconv()->decimal_point;
  const size_t length = strlen(comma);
  char *at = length > 0 ? strstr(text, comma) : NULL;
  if (!at) return;
  *at = '.';
  memmove(at + 1, at + length, strlen(at + length) + 1);
}

/* As few digits as read back as the same number. */
static void number_text(char text[NUMBER_TEXT], achd_real x) {
  const double wide = (double)x;
  if (isnan(wide)) {
    memcpy(text, "nan", 4);
  } else if (isinf(wide)) {
    snprintf(text, NUMBER_TEXT, "%s", wide < 0 ? "-inf" : "inf");
  } else if (fabs(wide) < exact_integers && floor(wide) == wide && !(wide == 0 && signbit(wide))) {
    snprintf(text, NUMBER_TEXT, "%d", (int)wide);
  } else {
    for (int digits = FEWEST; digits <= MOST; digits++) {
      snprintf(text, NUMBER_TEXT, "%.*g", digits, wide);
      if (read_number(text) == x) break;
    }
    point(text);
  }
}

/* Nanoseconds as seconds, exactly. */
static void time_text(char text[NUMBER_TEXT], int64_t time) {
  const uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
  snprintf(text, NUMBER_TEXT, "%s%" PRIu64 ".%09" PRIu64, time < 0 ? "-" : "",
           size / UINT64_C(1000000000), size % UINT64_C(1000000000));
}

/* ---- names ---- */

/* The code point at *text, which goes on behind it; -1 if it is not UTF-8 (RFC 3629). */
static int32_t code_point(const unsigned char **text) {
  static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
  const unsigned char first = *(*text)++;
  const int more = first < 0x80 ? 0 : first < 0xc0 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  if (more < 0 || first > 0xf4) return -1;
  int32_t code = more == 0 ? first : first & (0x3f >> more);
  for (int i = 0; i < more; i++) {
    if ((**text & 0xc0) != 0x80) return -1;
    code = code << 6 | (*(*text)++ & 0x3f);
  }
  return code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? -1 : code;
}

static bool is_text(const char *name) {
  const unsigned char *at = (const unsigned char *)name;
  while (*at)
    if (code_point(&at) < 0) return false;
  return true;
}

static bool all_text(const achd_log_setup *setup) {
  for (int i = 0; i < setup->nsignals; i++) {
    const achd_signal *s = &setup->signals[i];
    if (!is_text(s->name) || !is_text(s->unit) || (s->part && !is_text(s->part))) return false;
  }
  return true;
}

/* name [unit]; returns the length of the name. */
static size_t title_text(char title[TITLE_TEXT], const achd_signal *signal) {
  const size_t length = achd_signal_name(signal, title, TITLE_TEXT);
  snprintf(title + length, TITLE_TEXT - length, " [%s]", signal->unit);
  return length;
}

/* ---- CSV ---- */

static void put_quoted(sink *s, const char *text) {
  if (!strpbrk(text, ",\"")) {
    put(s, text);
    return;
  }
  put_character(s, '"');
  for (; *text; text++) {
    if (*text == '"') put_character(s, '"');
    put_character(s, *text);
  }
  put_character(s, '"');
}

static void csv_header(sink *s, const achd_log_setup *setup) {
  char title[TITLE_TEXT];
  put(s, "time [s]");
  for (int i = 0; i < setup->nsignals; i++) {
    title_text(title, &setup->signals[i]);
    put_character(s, ',');
    put_quoted(s, title);
  }
  put_character(s, '\n');
}

/* ---- NPY, version 1.0 ---- */

/* A literal of Python in ASCII. */
static void put_literal(sink *s, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  char escape[16];
  put_character(s, '\'');
  while (*at) {
    const int32_t code = code_point(&at);
    if (code == '\'' || code == '\\') put_character(s, '\\');
    if (code < 0x80) {
      put_character(s, (char)code);
    } else {
      snprintf(escape, sizeof escape, code < 0x10000 ? "\\u%04" PRIx32 : "\\U%08" PRIx32,
               (uint32_t)code);
      put(s, escape);
    }
  }
  put_character(s, '\'');
}

static bool little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static void put_field(sink *s, const char *title, size_t length, size_t size, bool titles) {
  char name[TITLE_TEXT], type[32];
  memcpy(name, title, length);
  name[length] = 0;
  put_character(s, '(');
  if (titles) {
    put_character(s, '(');
    put_literal(s, title);
    put_character(s, ',');
  }
  put_literal(s, name);
  if (titles) put_character(s, ')');
  snprintf(type, sizeof type, ",'%cf%zu'),", little_endian() ? '<' : '>', size);
  put(s, type);
}

enum { COUNT_DIGITS = 20 };
static const char shape_end[] = ",)}";

static void npy_description(sink *s, const achd_log_setup *setup, bool titles, uint64_t rows) {
  char title[TITLE_TEXT];
  char count[32];
  put(s, "{'descr':[");
  put_field(s, "time [s]", 4, sizeof(double), titles);
  for (int i = 0; i < setup->nsignals; i++) {
    const size_t length = title_text(title, &setup->signals[i]);
    put_field(s, title, length, sizeof(achd_real), titles);
  }
  put(s, "],'fortran_order':False,'shape':(");
  snprintf(count, sizeof count, "%*" PRIu64, COUNT_DIGITS, rows);
  put(s, count);
  put(s, shape_end);
}

/* Titles are further names of the fields: none may be a field's name as well. */
static bool titles_differ(const achd_log_setup *setup) {
  char title[TITLE_TEXT], name[ACHD_SIGNAL_TEXT];
  for (int i = 0; i < setup->nsignals; i++) {
    achd_signal_name(&setup->signals[i], name, sizeof name);
    if (strcmp(name, "time [s]") == 0) return false;
    if (!strstr(name, " [")) continue;
    for (int j = 0; j < setup->nsignals; j++) {
      title_text(title, &setup->signals[j]);
      if (strcmp(name, title) == 0) return false;
    }
  }
  return true;
}

/* Length of the description, filled up to the alignment, with its end of line. */
static size_t filled(size_t length) {
  const size_t whole = HEADER_PREFIX + length + 1;
  return (whole + HEADER_STEP - 1) / HEADER_STEP * HEADER_STEP - HEADER_PREFIX;
}

/* *count_at: where the number of rows stands. */
static achd_log_status npy_header(sink *s, const achd_log_setup *setup, long *count_at) {
  bool titles = titles_differ(setup);
  sink counted = {NULL, 0};
  npy_description(&counted, setup, titles, 0);
  if (titles && filled(counted.length) > NUMPY_LARGEST) {
    titles = false;
    counted.length = 0;
    npy_description(&counted, setup, titles, 0);
  }
  const size_t length = filled(counted.length);
  if (length > NUMPY_LARGEST) return ACHD_LOG_TOO_MANY;
  static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
  for (size_t i = 0; i < sizeof magic; i++) put_character(s, magic[i]);
  put_character(s, (char)(length & 0xff));
  put_character(s, (char)(length >> 8));
  npy_description(s, setup, titles, 0);
  *count_at = (long)s->length - (long)sizeof shape_end + 1 - COUNT_DIGITS;
  while (s->length + 1 < HEADER_PREFIX + length) put_character(s, ' ');
  put_character(s, '\n');
  return ACHD_LOG_OK;
}

static bool write_count(const achd_log_file *f) {
  return fseek(f->file, f->count_at, SEEK_SET) == 0 &&
         fprintf(f->file, "%*" PRIu64, COUNT_DIGITS, f->rows) == COUNT_DIGITS &&
         fflush(f->file) == 0 && fseek(f->file, 0, SEEK_END) == 0;
}

/* ---- rows ---- */

static void csv_row(FILE *file, const achd_log_setup *setup, int64_t time,
                    const achd_real *values) {
  char text[NUMBER_TEXT];
  time_text(text, time);
  fputs(text, file);
  for (int i = 0; i < setup->nsignals; i++) {
    number_text(text, values[i]);
    putc(',', file);
    fputs(text, file);
  }
  putc('\n', file);
}

static void npy_row(FILE *file, const achd_log_setup *setup, int64_t time,
                    const achd_real *values) {
  const double seconds = (double)time / 1e9;
  const size_t count = (size_t)setup->nsignals;
  if (fwrite(&seconds, sizeof seconds, 1, file) != 1) return; /* ferror says it */
  if (fwrite(values, sizeof *values, count, file) != count) return;
}

/* ---- files ---- */

static achd_log_status put_header(achd_log_file *f, const achd_log *log) {
  sink s = {f->file, 0};
  if (f->format == ACHD_LOG_CSV)
    csv_header(&s, &log->setup);
  else if (npy_header(&s, &log->setup, &f->count_at) != ACHD_LOG_OK)
    return ACHD_LOG_TOO_MANY;
  return fflush(f->file) == 0 && !ferror(f->file) ? ACHD_LOG_OK : ACHD_LOG_NOT_WRITTEN;
}

/* Tested before a file of this name is replaced. */
static achd_log_status header_possible(achd_log_format format, const achd_log *log) {
  sink counted = {NULL, 0};
  long count_at;
  if (!all_text(&log->setup)) return ACHD_LOG_NOT_TEXT;
  return format == ACHD_LOG_NPY ? npy_header(&counted, &log->setup, &count_at) : ACHD_LOG_OK;
}

achd_log_status achd_log_file_open(achd_log_file *f, const char *path, achd_log_format format,
                                   const achd_log *log) {
  if (!f || f->file || !path || !log || log->setup.capacity == 0) return ACHD_LOG_BAD_ARGUMENT;
  if (format != ACHD_LOG_CSV && format != ACHD_LOG_NPY) return ACHD_LOG_BAD_ARGUMENT;
  const achd_log_status possible = header_possible(format, log);
  if (possible != ACHD_LOG_OK) return possible;
  FILE *file = fopen(path, "wb");
  if (!file) return ACHD_LOG_NOT_OPEN;
  *f = (achd_log_file){.file = file, .format = format, .nsignals = log->setup.nsignals};
  const achd_log_status status = put_header(f, log);
  if (status != ACHD_LOG_OK) {
    fclose(file);
    f->file = NULL;
  }
  return status;
}

achd_log_status achd_log_file_write(achd_log_file *f, achd_log *log) {
  if (!f || !log || log->setup.capacity == 0) return ACHD_LOG_BAD_ARGUMENT;
  if (!f->file) return ACHD_LOG_NOT_OPEN;
  if (f->nsignals != log->setup.nsignals) return ACHD_LOG_BAD_ARGUMENT;
  if (f->status != ACHD_LOG_OK) return f->status;
  const uint32_t rows = achd_log_rows(log);
  for (uint32_t k = 0; k < rows; k++) {
    int64_t time;
    const achd_real *values = achd_log_row(log, k, &time);
    (f->format == ACHD_LOG_CSV ? csv_row : npy_row)(f->file, &log->setup, time, values);
  }
  f->rows += rows;
  const bool written = fflush(f->file) == 0 && !ferror(f->file);
  if (!written || (f->format == ACHD_LOG_NPY && !write_count(f)))
    return f->status = ACHD_LOG_NOT_WRITTEN;
  return achd_log_drop(log, rows);
}

achd_log_status achd_log_file_close(achd_log_file *f) {
  if (!f) return ACHD_LOG_BAD_ARGUMENT;
  if (!f->file) return ACHD_LOG_NOT_OPEN;
  const achd_log_status status = f->status;
  const bool closed = fclose(f->file) == 0;
  f->file = NULL;
  return closed ? status : ACHD_LOG_NOT_WRITTEN;
}
