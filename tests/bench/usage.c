/* SPDX-License-Identifier: MIT */
/* usage.c: runs a command and writes to the file USAGE what it took: processor time [s], user and
 * system together, and the most memory that it (or a child of its own) held [KiB]. Time on the
 * clock would be that of the neighbours. usage USAGE COMMAND... */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t) {
  return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s USAGE COMMAND...\n", argv[0]);
    return 2;
  }
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 2;
  }
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) < 0) {
    perror("waitpid");
    return 2;
  }
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  FILE *file = fopen(argv[1], "w");
  if (!file) {
    perror(argv[1]);
    return 2;
  }
  fprintf(file, "%.3f %ld\n", seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
  if (fclose(file) != 0) {
    perror(argv[1]);
    return 2;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
