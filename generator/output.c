/* output.c: see output.h */
#define _XOPEN_SOURCE 700
#include "output.h"

#include <errno.h>
#include <fcntl.h>
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

/* What is no plain file (a pipe, /dev/null) cannot be replaced, only written to. */
static bool write_device(const char *path, const char *text, ag_err *err) {
  const int fd = open(path, O_WRONLY);
  bool ok = fd >= 0 && write_all(fd, text);
  const int reason = errno;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (ok) return true;
  return ag_fail(err, path, 0, "give the name of a file", "cannot be written: %s",
                 strerror(reason));
}

bool ag_write_file(const char *path, const char *text, ag_err *err) {
  static const char *const look = "check that its folder is there and can be written";
  struct stat there;
  const bool exists = stat(path, &there) == 0;
  if (exists && S_ISDIR(there.st_mode))
    return ag_fail(err, path, 0, "give the name of a file", "is a folder");
  if (exists && !S_ISREG(there.st_mode)) return write_device(path, text, err);
  /* behind a link, the file it leads to */
  char *target = exists ? realpath(path, NULL) : NULL;
  char temporary[4096];
  const int length = snprintf(temporary, sizeof temporary, "%s.XXXXXX", target ? target : path);
  free(target);
  if (length < 0 || (size_t)length >= sizeof temporary)
    return ag_fail(err, path, 0, "give a shorter path", "the path is too long");
  const int fd = mkstemp(temporary);
  if (fd < 0) return ag_fail(err, path, 0, look, "cannot be written: %s", strerror(errno));
  /* mkstemp makes it private; a file that a user writes has the rights that umask leaves */
  const mode_t mask = umask(0);
  umask(mask);
  bool ok = fchmod(fd, 0666 & ~mask) == 0 && write_all(fd, text) && fsync(fd) == 0;
  int reason = errno;
  if (close(fd) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  if (ok) {
    char final[sizeof temporary];
    snprintf(final, sizeof final, "%.*s", length - (int)strlen(".XXXXXX"), temporary);
    if (rename(temporary, final) == 0) return true;
    reason = errno;
  }
  unlink(temporary);
  return ag_fail(err, path, 0, "check the room on the disk and the folder's permissions",
                 "cannot be written: %s", strerror(reason));
}

bool ag_flush_stdout(ag_err *err) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  return ag_fail(err, "", 0, "check where it goes", "standard output cannot be written: %s",
                 strerror(errno));
}
