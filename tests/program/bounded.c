/* SPDX-License-Identifier: MIT */
/* bounded.c: bounded SECONDS MEGABYTES COMMAND...: runs the command, exits as it does, and with 125
 * where it took more processor time or more resident memory than that; what it took is the last
 * line on standard output. It is killed before it can take the machine along. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void run(char **command, rlim_t seconds, rlim_t megabytes) {
  const struct rlimit time = {4 * seconds, 4 * seconds},
                      space = {8 * megabytes << 20, 8 * megabytes << 20};
  if (setrlimit(RLIMIT_CPU, &time) != 0 || setrlimit(RLIMIT_AS, &space) != 0) _exit(126);
  execvp(command[0], command);
  _exit(127);
}

int main(int argc, char **argv) {
  if (argc < 4) return 126;
  const long seconds = atol(argv[1]), megabytes = atol(argv[2]);
  const pid_t child = fork();
  if (child == 0) run(argv + 3, (rlim_t)seconds, (rlim_t)megabytes);
  int status;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) != child) return 126;
  const double took = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  const long most = used.ru_maxrss / 1024;
  printf("%.2f s, %ld MB\n", took, most);
  if (took > (double)seconds || most > megabytes) return 125;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
