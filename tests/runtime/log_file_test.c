/* SPDX-License-Identifier: MIT */
/* log_file_test.c FOLDER: logs as CSV and NPY files: every byte of small ones, a full disk,
 * files that are closed or cannot be opened, names of any kind, another thread that writes. Leaves
 * files in FOLDER that log_file.sh gives to NumPy. The locale is that of the environment. */
#include <achd/log_file.h>

#include "random.h"
#include "test.h"

#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static const char *folder;

static const char *path_of(const char *name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* What a file has; its size is *size. */
static char *content(const char *name, size_t *size) {
  static char text[1 << 20];
  FILE *file = fopen(path_of(name), "rb");
  *size = 0;
  text[0] = 0;
  if (!file) return text;
  *size = fread(text, 1, sizeof text - 1, file);
  text[*size] = 0;
  fclose(file);
  return text;
}

static char *text_of(const char *name) {
  size_t size;
  return content(name, &size);
}

enum { ROWS = 4, SIGNALS = 3 };
static const achd_signal three[SIGNALS] = {
    {"q", NULL, 1, "rad"}, {"a, \"b\"", NULL, 0, "N m"}, {"event", "e_go", 0, "1"}};
static int64_t times[ROWS];
static achd_real values[ROWS * SIGNALS];

static void begin(achd_log *log) {
  const achd_log_setup setup = {three, SIGNALS, times, values, ROWS, ACHD_LOG_OLDEST};
  CHECK(achd_log_start(log, &setup) == ACHD_LOG_OK);
}

static void put(achd_log *log, int64_t time, double a, double b, double c) {
  const achd_real row[SIGNALS] = {(achd_real)a, (achd_real)b, (achd_real)c};
  CHECK(achd_log_put(log, time, row) == ACHD_LOG_OK);
}

static const char head[] = "time [s],q.1 [rad],\"a, \"\"b\"\" [N m]\",event.e_go [1]\n";

static void csv_is_written_as_the_log_goes_on(void) {
  achd_log log;
  achd_log_file file = {0};
  char wanted[1024];
  begin(&log);
  CHECK(achd_log_file_open(&file, path_of("a.csv"), ACHD_LOG_CSV, &log) == ACHD_LOG_OK);
  CHECK_TEXT(text_of("a.csv"), head);
  put(&log, 0, 0.1, -2.5, 0);
  put(&log, 1500000000, 1e-7, 12345678, 1);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
  CHECK(achd_log_rows(&log) == 0 && file.rows == 2);
  snprintf(wanted, sizeof wanted, "%s0.000000000,0.1,-2.5,0\n1.500000000,1e-07,12345678,1\n", head);
  CHECK_TEXT(text_of("a.csv"), wanted);
  put(&log, -1, NAN, INFINITY, -INFINITY);
  put(&log, INT64_MIN, -0.0, 1 / 3.0, 3e38);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
  CHECK(achd_log_file_close(&file) == ACHD_LOG_OK && file.rows == 4);
  strcat(wanted, "-0.000000001,nan,inf,-inf\n-9223372036.854775808,-0,");
  strcat(wanted, sizeof(achd_real) == 4 ? "0.33333334,3e+38\n" : "0.3333333333333333,3e+38\n");
  CHECK_TEXT(text_of("a.csv"), wanted);
}

/* Numbers of all sizes come back as they were. */
static void csv_gives_the_same_numbers(void) {
  enum { NUMBERS = 2000 };
  static achd_real row[NUMBERS], x[NUMBERS];
  static achd_signal signals[NUMBERS];
  unsigned long long random = 5;
  achd_log log;
  achd_log_file file = {0};
  for (int k = 0; k < NUMBERS; k++) {
    x[k] = (achd_real)ldexp(random_number(&random) - 0.5, (int)(random % 200) - 100);
    signals[k] = (achd_signal){"x", NULL, k + 1, "1"};
  }
  const achd_log_setup setup = {signals, NUMBERS, times, row, 1, ACHD_LOG_NEWEST};
  CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
  CHECK(achd_log_put(&log, 0, x) == ACHD_LOG_OK);
  CHECK(achd_log_file_open(&file, path_of("same.csv"), ACHD_LOG_CSV, &log) == ACHD_LOG_OK);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
  CHECK(achd_log_file_close(&file) == ACHD_LOG_OK);
  char *at = strchr(text_of("same.csv"), '\n');
  at = strchr(at, ',');
  for (int k = 0; k < NUMBERS; k++) {
    char *number = at + 1;
    at = number + strcspn(number, ",\n");
    *at = 0;
    char *point = strchr(number, '.');
    if (point) *point = *localeconv()->decimal_point; /* as strtod has it */
    CHECK((achd_real)strtod(number, NULL) == x[k]);
  }
}

static void npy_is_complete_after_each_write(void) {
  achd_log log;
  achd_log_file file = {0};
  size_t size, header;
  begin(&log);
  CHECK(achd_log_file_open(&file, path_of("a.npy"), ACHD_LOG_NPY, &log) == ACHD_LOG_OK);
  for (int rows = 0; rows < 3; rows++) {
    char count[64];
    const char *text = content("a.npy", &size);
    header = 10 + (unsigned char)text[8] + 256 * (size_t)(unsigned char)text[9];
    CHECK(memcmp(text, "\x93NUMPY\x01\x00", 8) == 0 && header % 64 == 0);
    CHECK(text[header - 1] == '\n' && size == header + (size_t)rows * (8 + 3 * sizeof(achd_real)));
    snprintf(count, sizeof count, "'shape':(%20d,)}", rows);
    CHECK(strstr(text + 10, count) != NULL);
    put(&log, 250000000 * (int64_t)rows, rows + 0.5, rows == 1 ? NAN : 1, -rows);
    CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
  }
  CHECK(achd_log_file_close(&file) == ACHD_LOG_OK);
}

static bool has(const char *name, const char *part) {
  size_t size;
  const char *text = content(name, &size);
  return size > 10 && strstr(text + 10, part) != NULL;
}

static void odd_names_for_numpy(void) {
  static const achd_signal odd[] = {{"it's \\ \"odd\", [x]", NULL, 0, "%"},
                                    {"\xc3\xa4\xf0\x9f\xa4\x96", NULL, 0, "\xc2\xb5m"},
                                    {"q", "joint 1", 0, "rad"}};
  /* a title would be the name of another field */
  static const achd_signal clash[] = {
      {"q", NULL, 0, "m"}, {"q [m]", NULL, 0, "1"}, {"v", NULL, 0, "m/s"}};
  static const achd_signal time[] = {
      {"time [s]", NULL, 0, "m"}, {"q", NULL, 0, "1"}, {"v", NULL, 0, "m/s"}};
  const achd_signal *const all[] = {odd, clash, time};
  static const char *const names[] = {"odd", "clash", "time"};
  for (int k = 0; k < 3; k++) {
    char name[32];
    achd_log log;
    achd_log_file csv = {0}, npy = {0};
    const achd_log_setup setup = {all[k], 3, times, values, ROWS, ACHD_LOG_OLDEST};
    CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
    put(&log, 1, 1, 2, 3);
    snprintf(name, sizeof name, "%s.npy", names[k]);
    CHECK(achd_log_file_open(&npy, path_of(name), ACHD_LOG_NPY, &log) == ACHD_LOG_OK);
    CHECK(achd_log_file_write(&npy, &log) == ACHD_LOG_OK);
    CHECK(achd_log_file_close(&npy) == ACHD_LOG_OK);
    put(&log, 1, 1, 2, 3);
    snprintf(name, sizeof name, "%s.csv", names[k]);
    CHECK(achd_log_file_open(&csv, path_of(name), ACHD_LOG_CSV, &log) == ACHD_LOG_OK);
    CHECK(achd_log_file_write(&csv, &log) == ACHD_LOG_OK);
    CHECK(achd_log_file_close(&csv) == ACHD_LOG_OK);
  }
  CHECK(has("odd.npy", "(('it\\'s \\\\ \"odd\", [x] [%]','it\\'s \\\\ \"odd\", [x]'),'"));
  CHECK(has("odd.npy", "(('\\u00e4\\U0001f916 [\\u00b5m]','\\u00e4\\U0001f916'),'"));
  CHECK(has("clash.npy", "('q','") && has("clash.npy", "('q [m]','"));
  CHECK(has("time.npy", "('time','") && has("time.npy", "('time [s]','"));
  CHECK(has("odd.csv", "it's \\ \"\"odd\"\", [x] [%]\","));
}

/* Names that are not UTF-8: cut, overlong, a surrogate, above the last code point, Latin-1. */
static void bytes_that_are_no_text(void) {
  static const char *const bad[] = {"\xc3",
                                    "\xe2\x82",
                                    "\xc0\xaf",
                                    "\xed\xa0\x80",
                                    "\xf4\x90\x80\x80",
                                    "m\xe4",
                                    "\x80",
                                    "\xf8\x88\x80\x80\x80"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    for (int where = 0; where < 3; where++) {
      achd_log log;
      achd_log_file file = {0};
      achd_signal signal = {"a", "b", 0, "1"};
      *(where == 0 ? &signal.name : where == 1 ? &signal.part : &signal.unit) = bad[k];
      const achd_log_setup setup = {&signal, 1, times, values, ROWS, ACHD_LOG_OLDEST};
      CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
      CHECK(achd_log_file_open(&file, path_of("no"), ACHD_LOG_CSV, &log) == ACHD_LOG_NOT_TEXT);
      CHECK(achd_log_file_open(&file, path_of("no"), ACHD_LOG_NPY, &log) == ACHD_LOG_NOT_TEXT);
      CHECK(!file.file && !fopen(path_of("no"), "rb"));
    }
}

/* As many signals as leave titles out, and as many as numpy.load refuses. */
static void many_signals(void) {
  enum { MANY = 1000 };
  static achd_signal signals[MANY];
  static achd_real row[MANY];
  static const int counts[] = {50, 300, MANY};
  for (int i = 0; i < MANY; i++) signals[i] = (achd_signal){"signal", NULL, i + 1, "rad"};
  for (int k = 0; k < 3; k++) {
    char name[32];
    achd_log log;
    achd_log_file file = {0};
    const achd_log_setup setup = {signals, counts[k], times, row, 1, ACHD_LOG_OLDEST};
    CHECK(achd_log_start(&log, &setup) == ACHD_LOG_OK);
    CHECK(achd_log_put(&log, 1, row) == ACHD_LOG_OK);
    snprintf(name, sizeof name, "%d.npy", counts[k]);
    const achd_log_status opened = achd_log_file_open(&file, path_of(name), ACHD_LOG_NPY, &log);
    CHECK(opened == (counts[k] == MANY ? ACHD_LOG_TOO_MANY : ACHD_LOG_OK));
    if (opened != ACHD_LOG_OK) continue;
    CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_OK);
    CHECK(achd_log_file_close(&file) == ACHD_LOG_OK);
  }
}

/* /dev/full takes nothing. */
static void full_disk(void) {
  for (int format = ACHD_LOG_CSV; format <= ACHD_LOG_NPY; format++) {
    achd_log log;
    achd_log_file file = {0};
    begin(&log);
    put(&log, 1, 2, 3, 4);
    CHECK(achd_log_file_open(&file, "/dev/full", (achd_log_format)format, &log) ==
          ACHD_LOG_NOT_WRITTEN);
    CHECK(!file.file);
    CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_NOT_OPEN);
    /* full only later: the rows stay, and the failure too */
    CHECK(achd_log_file_open(&file, path_of("later"), (achd_log_format)format, &log) ==
          ACHD_LOG_OK);
    FILE *const good = file.file;
    file.file = fopen("/dev/full", "wb");
    CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_NOT_WRITTEN);
    CHECK(achd_log_rows(&log) == 1);
    fclose(file.file);
    file.file = good;
    CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_NOT_WRITTEN);
    CHECK(achd_log_file_close(&file) == ACHD_LOG_NOT_WRITTEN && !file.file);
  }
}

static void files_that_are_not_open(void) {
  achd_log log, other;
  achd_log_file file = {0};
  static const achd_log never = {0};
  begin(&log);
  begin(&other);
  other.setup.nsignals = 2;
  put(&log, 1, 2, 3, 4);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_close(&file) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_open(&file, path_of("none/x"), ACHD_LOG_CSV, &log) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_open(&file, folder, ACHD_LOG_CSV, &log) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_open(&file, path_of("x"), (achd_log_format)7, &log) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_open(&file, NULL, ACHD_LOG_CSV, &log) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_open(&file, path_of("x"), ACHD_LOG_CSV, NULL) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_open(&file, path_of("x"), ACHD_LOG_CSV, &never) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_open(NULL, path_of("x"), ACHD_LOG_CSV, &log) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_open(&file, path_of("x"), ACHD_LOG_CSV, &log) == ACHD_LOG_OK);
  CHECK(achd_log_file_open(&file, path_of("y"), ACHD_LOG_CSV, &log) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_write(&file, NULL) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_write(&file, &other) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_write(NULL, &log) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_file_close(&file) == ACHD_LOG_OK);
  CHECK(achd_log_file_close(&file) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_write(&file, &log) == ACHD_LOG_NOT_OPEN);
  CHECK(achd_log_file_close(NULL) == ACHD_LOG_BAD_ARGUMENT);
  CHECK(achd_log_rows(&log) == 1);
}

/* ---- two threads ---- */

enum { PUTS = 4000 };

static void *put_rows(void *context) {
  achd_log *log = context;
  for (int k = 0; k < PUTS; k++) {
    const achd_real row[SIGNALS] = {(achd_real)k, (achd_real)k, (achd_real)k};
    while (achd_log_put(log, k, row) == ACHD_LOG_FULL) {
    }
  }
  return NULL;
}

static void another_thread_takes_the_rows(void) {
  achd_log log;
  pthread_t thread;
  int taken = 0, wrong = 0;
  begin(&log);
  CHECK(pthread_create(&thread, NULL, put_rows, &log) == 0);
  while (taken < PUTS) {
    const uint32_t rows = achd_log_rows(&log);
    for (uint32_t k = 0; k < rows; k++, taken++) {
      int64_t time;
      const achd_real *row = achd_log_row(&log, k, &time);
      if (time != taken || row[0] != (achd_real)taken || row[2] != (achd_real)taken) wrong++;
    }
    achd_log_drop(&log, rows);
    if (rows == 0) sched_yield();
  }
  pthread_join(thread, NULL);
  CHECK(wrong == 0 && achd_log_rows(&log) == 0 && log.recorded == PUTS);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  folder = argv[1];
  CHECK(setlocale(LC_ALL, "") != NULL);
  RUN(csv_is_written_as_the_log_goes_on);
  RUN(csv_gives_the_same_numbers);
  RUN(npy_is_complete_after_each_write);
  RUN(odd_names_for_numpy);
  RUN(bytes_that_are_no_text);
  RUN(many_signals);
  RUN(full_disk);
  RUN(files_that_are_not_open);
  RUN(another_thread_takes_the_rows);
  return test_end();
}
