/* files.c: see files.h */
#define _XOPEN_SOURCE 700
#include "base/files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
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

static bool is_device(const char *path) {
  struct stat there;
  return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

/* A file on its way. */
typedef struct pending {
  char temporary[4096]; /* "": there is none */
  size_t length;        /* of the path that it takes */
} pending;

enum { MOST_FILES = 4 };
static const char *const suffix = ".XXXXXX";

static bool write_temporary(const ag_output *file, pending *p, ag_err *err) {
  static const char *const look = "check that its folder is there and can be written";
  const char *path = file->path;
  struct stat there;
  const bool exists = stat(path, &there) == 0;
  p->temporary[0] = '\0';
  if (exists && S_ISDIR(there.st_mode))
    return ag_fail(err, path, 0, "give the name of a file", "is a folder");
  /* behind a link, the file it leads to */
  char *target = exists ? realpath(path, NULL) : NULL;
  const int length =
      snprintf(p->temporary, sizeof p->temporary, "%s%s", target ? target : path, suffix);
  free(target);
  const bool fits = length > 0 && (size_t)length < sizeof p->temporary;
  const int fd = fits ? mkstemp(p->temporary) : -1;
  if (fd < 0) {
    p->temporary[0] = '\0';
    if (!fits) return ag_fail(err, path, 0, "give a shorter path", "the path is too long");
    return ag_fail(err, path, 0, look, "cannot be written: %s", strerror(errno));
  }
  p->length = (size_t)length - strlen(suffix);
  /* mkstemp makes it private; a file that a user writes has the rights that umask leaves */
  const mode_t mask = umask(0);
  umask(mask);
  bool ok = fchmod(fd, 0666 & ~mask) == 0 && write_all(fd, file->text) && fsync(fd) == 0;
  int reason = errno;
  if (close(fd) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  return ok || ag_fail(err, path, 0, "check the room on the disk and the folder's permissions",
                       "cannot be written: %s", strerror(reason));
}

static bool put_in_place(const ag_output *file, pending *p, ag_err *err) {
  if (p->temporary[0] == '\0') return true;
  char final[sizeof p->temporary];
  memcpy(final, p->temporary, p->length);
  final[p->length] = '\0';
  if (rename(p->temporary, final) != 0)
    return ag_fail(err, file->path, 0, "check the folder's permissions", "cannot be replaced: %s",
                   strerror(errno));
  p->temporary[0] = '\0';
  return true;
}

bool ag_write_files(const ag_output *files, int count, ag_err *err) {
  assert(count <= MOST_FILES);
  pending all[MOST_FILES] = {0};
  bool ok = true;
  for (int k = 0; k < count && ok; k++) /* these may wait for a reader: no signal is held */
    ok = !is_device(files[k].path) || write_device(files[k].path, files[k].text, err);
  sigset_t every, before;
  sigfillset(&every);
  sigdelset(&every, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &every, &before);
  /* a file that may grow no more is an error to tell, not our end */
  struct sigaction ignore = {.sa_handler = SIG_IGN}, too_large;
  sigaction(SIGXFSZ, &ignore, &too_large);
  for (int k = 0; k < count && ok; k++)
    ok = is_device(files[k].path) || write_temporary(&files[k], &all[k], err);
  for (int k = 0; k < count && ok; k++) ok = put_in_place(&files[k], &all[k], err);
  for (int k = 0; k < count; k++)
    if (all[k].temporary[0] != '\0') unlink(all[k].temporary);
  sigaction(SIGXFSZ, &too_large, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return ok;
}

bool ag_write_file(const char *path, const char *text, ag_err *err) {
  const ag_output file = {path, text};
  return ag_write_files(&file, 1, err);
}

bool ag_flush_stdout(ag_err *err) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  return ag_fail(err, "", 0, "check where it goes", "standard output cannot be written: %s",
                 strerror(errno));
}

bool ag_same_file(const char *a, const char *b) {
  struct stat at, bt;
  return stat(a, &at) == 0 && stat(b, &bt) == 0 && S_ISREG(at.st_mode) && at.st_dev == bt.st_dev &&
         at.st_ino == bt.st_ino;
}
