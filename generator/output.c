/* output.c: see output.h */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ag_write_file(const char *path, const char *text, ag_err *err) {
  char temporary[4096];
  const int length = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  if (length < 0 || (size_t)length >= sizeof temporary)
    return ag_fail(err, path, 0, "give -o a shorter path", "the path is too long");
  struct stat there;
  if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
    return ag_fail(err, path, 0, "give -o the name of a file", "is a folder");
  const int fd = mkstemp(temporary);
  if (fd < 0)
    return ag_fail(err, path, 0, "check that its folder is there and can be written",
                   "cannot be written: %s", strerror(errno));
  /* mkstemp makes it private; a file that a user writes has the rights that umask leaves */
  const mode_t mask = umask(0);
  umask(mask);
  const size_t size = strlen(text);
  size_t done = 0;
  bool ok = fchmod(fd, 0666 & ~mask) == 0;
  while (ok && done < size) {
    const ssize_t n = write(fd, text + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    ok = n > 0;
    if (ok) done += (size_t)n;
  }
  ok = ok && fsync(fd) == 0;
  int reason = errno;
  if (close(fd) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  if (ok && rename(temporary, path) == 0) return true;
  if (ok) reason = errno;
  unlink(temporary);
  return ag_fail(err, path, 0, "check the room on the disk and the folder's permissions",
                 "cannot be written: %s", strerror(reason));
}

bool ag_flush_stdout(ag_err *err) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  return ag_fail(err, "", 0, "check where it goes", "standard output cannot be written: %s",
                 strerror(errno));
}
