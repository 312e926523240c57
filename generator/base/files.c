/* SPDX-License-Identifier: MIT */
/* files.c: see files.h */
#define _XOPEN_SOURCE 700
#include "base/files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *text) {
  const size_t size = strlen(text);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = write(fd, text + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

/* What is not a regular file (a pipe, /dev/null) cannot be replaced, only written to. */
static bool write_device(const char *path, const char *text, ag_err *err) {
  const int fd = open(path, O_WRONLY);
  bool ok = fd >= 0 && write_all(fd, text);
  const int reason = errno;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (ok) return true;
  return ag_fail(err, path, 0, "give the name of a file", "cannot be written: %s",
                 strerror(reason));
}

static bool is_stdout(const ag_output *file) {
  return strcmp(file->path, "-") == 0;
}

static bool is_device(const char *path) {
  struct stat there;
  return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

/* A file on its way. */
typedef struct pending {
  char target[PATH_MAX];         /* where the path leads; "": to no file */
  char temporary[PATH_MAX + 16]; /* "": there is none */
  char old[PATH_MAX + 17];       /* second name of the file that is replaced; "": there is none */
  bool exists, placed;
  struct stat was; /* where it exists */
} pending;

enum { MOST_FILES = 8, MOST_LINKS = 40 };

static bool too_long(const char *path, ag_err *err) {
  return ag_fail(err, path, 0, "give a shorter path", "the path is too long");
}

/* Follows links, also to a file that is not there yet: file->target is absolute then, as far as its
 * folder is there. */
static bool resolve(const char *path, pending *file, ag_err *err) {
  char next[PATH_MAX], at[PATH_MAX], folder[PATH_MAX];
  if (snprintf(at, sizeof at, "%s", path) >= PATH_MAX) return too_long(path, err);
  for (int links = 0; links < MOST_LINKS; links++) {
    file->exists = stat(at, &file->was) == 0;
    if (file->exists && realpath(at, file->target)) return true;
    const char *slash = strrchr(at, '/');
    const int length = slash ? (int)(slash + 1 - at) : 0;
    const ssize_t got = readlink(at, next, sizeof next - 1);
    if (got < 0) { /* a new file */
      char named[PATH_MAX];
      (void)snprintf(named, sizeof named, "%.*s", slash ? length : 1, slash ? at : ".");
      const char *base = at + length;
      const char *in = realpath(named, folder) ? folder : named;
      const int size = snprintf(file->target, PATH_MAX, "%s/%s", in, base);
      return size < PATH_MAX || too_long(path, err);
    }
    next[got] = '\0';
    char link[2 * PATH_MAX];
    (void)snprintf(link, sizeof link, "%.*s%s", next[0] == '/' ? 0 : length, at, next);
    if (strlen(link) >= sizeof at) return too_long(path, err);
    memcpy(at, link, strlen(link) + 1);
  }
  return ag_fail(err, path, 0, "name a file", "leads from link to link without end");
}

static const char *const look = "check that its folder is there and can be written";

/* What must not be: a folder, a file that its owner protects, another output's. */
static bool check_target(const ag_output *files, const pending *all, int k, ag_err *err) {
  const char *path = files[k].path;
  if (path[0] == '\0') return ag_fail(err, "", 0, "name a file", "the name of an output is empty");
  if (all[k].exists && S_ISDIR(all[k].was.st_mode))
    return ag_fail(err, path, 0, "give the name of a file", "is a folder");
  if (all[k].exists && faccessat(AT_FDCWD, all[k].target, W_OK, AT_EACCESS) != 0)
    return ag_fail(err, path, 0, "name another file, or let it be written: chmod u+w",
                   "is there and cannot be written: %s", strerror(errno));
  char folder[PATH_MAX];
  const size_t length = (size_t)(strrchr(all[k].target, '/') - all[k].target);
  (void)snprintf(folder, sizeof folder, "%.*s/", (int)length, all[k].target);
  if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
    return ag_fail(err, path, 0, look, "cannot be written: %s", strerror(errno));
  for (int i = 0; i < k; i++)
    if (strcmp(all[i].target, all[k].target) == 0)
      return ag_fail(err, path, 0, "give each its own name", "would be written twice");
  return true;
}

static void add_suffix(const char *path, const char *suffix, char *to) {
  const size_t length = strlen(path);
  memcpy(to, path, length + 1);
  memcpy(to + length, suffix, strlen(suffix) + 1);
}

static bool write_temporary(const ag_output *file, pending *p, ag_err *err) {
  add_suffix(p->target, ".XXXXXX", p->temporary);
  const int fd = mkstemp(p->temporary);
  if (fd < 0) {
    p->temporary[0] = '\0';
    return ag_fail(err, file->path, 0, look, "cannot be written: %s", strerror(errno));
  }
  /* mkstemp makes it private; a new file has the rights that umask leaves, another those it had */
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t mode = p->exists ? p->was.st_mode & 0777 : 0666 & ~mask;
  bool ok = fchmod(fd, mode) == 0 && write_all(fd, file->text) && fsync(fd) == 0;
  int reason = errno;
  if (close(fd) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  return ok ||
         ag_fail(err, file->path, 0, "check the room on the disk and the folder's permissions",
                 "cannot be written: %s", strerror(reason));
}

/* The file that was there keeps a second name until all are in place (disks without such links do
 * without). */
static bool put_in_place(const ag_output *file, pending *p, ag_err *err) {
  add_suffix(p->temporary, "~", p->old);
  if (!p->exists || link(p->target, p->old) != 0) p->old[0] = '\0';
  if (rename(p->temporary, p->target) != 0)
    return ag_fail(err, file->path, 0, "check the folder's permissions", "cannot be replaced: %s",
                   strerror(errno));
  p->temporary[0] = '\0';
  p->placed = true;
  return true;
}

/* Removes what is on its way; where not all went well, puts back what was there. */
static void clean_up(pending *p, bool ok) {
  if (p->temporary[0]) unlink(p->temporary);
  if (!ok && p->placed && !p->exists) unlink(p->target);
  if (!ok && p->placed && p->old[0] && rename(p->old, p->target) == 0) return;
  if (p->old[0]) unlink(p->old);
}

/* Streams: these may wait for a reader, so no signal is held. */
static bool write_streams(const ag_output *files, int count, ag_err *err) {
  bool ok = true;
  for (int k = 0; k < count && ok; k++) {
    if (is_stdout(&files[k])) {
      fputs(files[k].text, stdout);
      ok = ag_flush_stdout(err);
    } else if (is_device(files[k].path)) {
      ok = write_device(files[k].path, files[k].text, err);
    }
  }
  return ok;
}

static bool is_stream(const ag_output *file) {
  return is_stdout(file) || is_device(file->path);
}

bool ag_write_files(const ag_output *files, int count, const ag_input_file *read, int nread,
                    ag_err *err) {
  assert(count <= MOST_FILES);
  pending all[MOST_FILES] = {0};
  bool ok = true;
  for (int k = 0; k < count && ok; k++) {
    ok = ag_spare_files(files[k].path, read, nread, err);
    if (ok && !is_stream(&files[k]))
      ok = resolve(files[k].path, &all[k], err) && check_target(files, all, k, err);
  }
  if (!ok || !write_streams(files, count, err)) return false;
  sigset_t every, before;
  sigfillset(&every);
  sigdelset(&every, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &every, &before);
  /* a file that may grow no more is an error to tell, not our end */
  struct sigaction ignore = {.sa_handler = SIG_IGN}, too_large;
  sigaction(SIGXFSZ, &ignore, &too_large);
  for (int k = 0; k < count && ok; k++)
    ok = !all[k].target[0] || write_temporary(&files[k], &all[k], err);
  for (int k = 0; k < count && ok; k++)
    ok = !all[k].target[0] || put_in_place(&files[k], &all[k], err);
  for (int k = 0; k < count; k++) clean_up(&all[k], ok);
  sigaction(SIGXFSZ, &too_large, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return ok;
}

bool ag_flush_stdout(ag_err *err) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  return ag_fail(err, "", 0, "check where it goes", "standard output cannot be written: %s",
                 strerror(errno));
}

bool ag_spare_files(const char *path, const ag_input_file *read, int nread, ag_err *err) {
  const bool to_stdout = strcmp(path, "-") == 0;
  struct stat out, in;
  if ((to_stdout ? fstat(STDOUT_FILENO, &out) : stat(path, &out)) != 0 || !S_ISREG(out.st_mode))
    return true;
  for (int i = 0; i < nread; i++) {
    const bool standard = read[i].text != NULL;
    if ((standard ? fstat(STDIN_FILENO, &in) : stat(read[i].path, &in)) != 0) continue;
    if (out.st_dev != in.st_dev || out.st_ino != in.st_ino) continue;
    if (to_stdout)
      return ag_fail(err, read[i].path, 0, "send standard output elsewhere",
                     "is read, and standard output would be written to it");
    return ag_fail(err, path, 0, "name another file to write",
                   "is read, and would be written over");
  }
  return true;
}
