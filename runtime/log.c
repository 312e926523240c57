/* SPDX-License-Identifier: MIT */
/* log.c: see achd/log.h */
#include <achd/log.h>

#include "mathematics.h"

static const uint32_t most_rows = UINT32_C(1) << 30;

/* Positions that the other thread reads: what was written before is seen there too. */
#ifdef __GNUC__
static uint32_t load(const uint32_t *position) {
  return __atomic_load_n(position, __ATOMIC_ACQUIRE);
}
/* NOLINTNEXTLINE(readability-non-const-parameter): the builtin writes */
static void store(uint32_t *position, uint32_t value) {
  __atomic_store_n(position, value, __ATOMIC_RELEASE);
}
#else
static uint32_t load(const uint32_t *position) {
  return *(const volatile uint32_t *)position;
}
static void store(uint32_t *position, uint32_t value) {
  *(volatile uint32_t *)position = value;
}
#endif

/* ---- names ---- */

typedef struct writer {
  char *to;
  size_t size, length;
} writer;

static void append_character(writer *t, char c) {
  if (t->length + 1 < t->size) t->to[t->length] = c;
  t->length++;
}

static void append(writer *t, const char *from) {
  for (; *from; from++) append_character(t, *from);
}

static void append_number(writer *t, int number) {
  char digits[12];
  int count = 0;
  for (; number > 0; number /= 10) digits[count++] = (char)('0' + number % 10);
  while (count > 0) append_character(t, digits[--count]);
}

size_t achd_signal_name(const achd_signal *signal, char *text, size_t size) {
  writer t = {text, text ? size : 0, 0};
  if (signal && signal->name) append(&t, signal->name);
  if (signal && (signal->part || signal->number > 0)) append_character(&t, '.');
  if (signal && signal->part) append(&t, signal->part);
  if (signal && !signal->part) append_number(&t, signal->number);
  if (t.size > 0) text[t.length < t.size ? t.length : t.size - 1] = 0;
  return t.length;
}

/* Neither empty nor too long, and without control characters. */
static bool is_word(const char *from, bool brackets) {
  int length = 0;
  for (; from[length]; length++) {
    const unsigned char c = (unsigned char)from[length];
    if (c < 32 || c == 127 || length + 1 >= ACHD_SIGNAL_TEXT) return false;
    if (!brackets && (c == '[' || c == ']')) return false;
  }
  return length > 0;
}

static bool name_valid(const achd_signal *signal, char name[ACHD_SIGNAL_TEXT]) {
  if (!signal->name || !signal->unit || signal->number < 0) return false;
  if (signal->part && !*signal->part) return false;
  if (achd_signal_name(signal, name, ACHD_SIGNAL_TEXT) >= ACHD_SIGNAL_TEXT) return false;
  return is_word(signal->name, true) && is_word(name, true) && is_word(signal->unit, false);
}

static bool same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static bool names_valid(const achd_signal *signals, int count) {
  char name[ACHD_SIGNAL_TEXT], other[ACHD_SIGNAL_TEXT];
  for (int i = 0; i < count; i++) {
    if (!name_valid(&signals[i], name) || same(name, "time")) return false;
    for (int j = 0; j < i; j++) {
      achd_signal_name(&signals[j], other, sizeof other);
      if (same(name, other)) return false;
    }
  }
  return true;
}

/* ---- rows ---- */

achd_log_status achd_log_start(achd_log *log, const achd_log_setup *setup) {
  if (!log) return ACHD_LOG_BAD_ARGUMENT;
  achd_clear(log, sizeof *log);
  if (!setup || !setup->signals || !setup->times || !setup->values) return ACHD_LOG_BAD_ARGUMENT;
  if (setup->nsignals < 1 || setup->nsignals > ACHD_LOG_SIGNALS) return ACHD_LOG_BAD_ARGUMENT;
  if (setup->capacity < 1 || setup->capacity > most_rows) return ACHD_LOG_BAD_ARGUMENT;
  if (setup->keep != ACHD_LOG_NEWEST && setup->keep != ACHD_LOG_OLDEST)
    return ACHD_LOG_BAD_ARGUMENT;
  if (!names_valid(setup->signals, setup->nsignals)) return ACHD_LOG_BAD_NAME;
  achd_assign(&log->setup, setup, sizeof *setup);
  return ACHD_LOG_OK;
}

/* Positions count modulo 2 capacity, so that a full log is not taken for an empty one. */
static uint32_t advanced(const achd_log *log, uint32_t position, uint32_t by) {
  const uint32_t most = 2 * log->setup.capacity, next = position + by;
  return next >= most ? next - most : next;
}

static uint32_t between(const achd_log *log, uint32_t tail, uint32_t head) {
  return head >= tail ? head - tail : head + 2 * log->setup.capacity - tail;
}

static uint32_t place(const achd_log *log, uint32_t position) {
  return position >= log->setup.capacity ? position - log->setup.capacity : position;
}

uint32_t achd_log_rows(const achd_log *log) {
  return log && log->setup.capacity > 0 ? between(log, load(&log->tail), load(&log->head)) : 0;
}

achd_log_status achd_log_put(achd_log *log, int64_t time, const achd_real *values) {
  if (!log || !values || log->setup.capacity == 0) return ACHD_LOG_BAD_ARGUMENT;
  const uint32_t head = log->head, tail = load(&log->tail);
  if (between(log, tail, head) == log->setup.capacity) {
    log->lost++;
    if (log->setup.keep == ACHD_LOG_OLDEST) return ACHD_LOG_FULL;
    store(&log->tail, advanced(log, tail, 1));
  }
  const uint32_t at = place(log, head);
  log->setup.times[at] = time;
  achd_copy(log->setup.values + (size_t)at * (size_t)log->setup.nsignals, values,
            log->setup.nsignals);
  log->recorded++;
  store(&log->head, advanced(log, head, 1));
  return ACHD_LOG_OK;
}

const achd_real *achd_log_row(const achd_log *log, uint32_t k, int64_t *time) {
  if (!time || k >= achd_log_rows(log)) return NULL;
  const uint32_t at = place(log, advanced(log, log->tail, k));
  *time = log->setup.times[at];
  return log->setup.values + (size_t)at * (size_t)log->setup.nsignals;
}

achd_log_status achd_log_drop(achd_log *log, uint32_t count) {
  if (!log || log->setup.capacity == 0) return ACHD_LOG_BAD_ARGUMENT;
  const uint32_t rows = achd_log_rows(log);
  store(&log->tail, advanced(log, log->tail, count < rows ? count : rows));
  return ACHD_LOG_OK;
}

/* ---- cycle times ---- */

static void count_one(uint32_t *counter) {
  if (*counter != UINT32_MAX) ++*counter;
}

static uint32_t short_duration(int64_t duration) {
  return duration > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)duration;
}

/* 0 .. 31 have a bin each; above, x has the exponent e >= 1 with 16 <= x >> e < 32, and the bin
 * 16 e + (x >> e). */
static unsigned bin_of(uint32_t x) {
  unsigned exponent = 0;
  while (x >> exponent >= 32) exponent++;
  return 16 * exponent + (unsigned)(x >> exponent);
}

/* The largest duration of a bin. */
static uint32_t bin_end(unsigned bin) {
  if (bin < 32) return bin;
  const unsigned exponent = bin / 16 - 1;
  const uint32_t first = bin - 16 * exponent;
  return (first << exponent) + ((UINT32_C(1) << exponent) - 1);
}

achd_log_status achd_cycle_times_start(achd_cycle_times *times, int64_t limit) {
  if (!times) return ACHD_LOG_BAD_ARGUMENT;
  achd_clear(times, sizeof *times);
  times->limit = limit;
  return limit > 0 ? ACHD_LOG_OK : ACHD_LOG_BAD_ARGUMENT;
}

achd_log_status achd_cycle_times_put(achd_cycle_times *times, int64_t duration) {
  if (!times) return ACHD_LOG_BAD_ARGUMENT;
  if (duration < 0) {
    count_one(&times->invalid);
    return ACHD_LOG_BAD_ARGUMENT;
  }
  if (times->count == 0 || duration < times->shortest) times->shortest = duration;
  if (duration > times->longest) times->longest = duration;
  times->latest = duration;
  if (duration > times->limit) count_one(&times->overruns);
  count_one(&times->count);
  count_one(&times->bin[bin_of(short_duration(duration))]);
  return ACHD_LOG_OK;
}

int64_t achd_cycle_times_percentile(const achd_cycle_times *times, unsigned permille) {
  if (!times || times->count == 0) return 0;
  const uint64_t wanted = (uint64_t)times->count * (permille < 1000 ? permille : 1000);
  uint64_t below = 0;
  for (unsigned k = 0; k < ACHD_CYCLE_BINS - 1; k++) {
    below += times->bin[k];
    if (below > 0 && below * 1000 >= wanted)
      return (int64_t)bin_end(k) < times->longest ? (int64_t)bin_end(k) : times->longest;
  }
  return times->longest;
}
