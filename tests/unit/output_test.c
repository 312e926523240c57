/* SPDX-License-Identifier: MIT */
/* output_test.c: a file is written whole, or the old one stays and nothing lies about. */
#define _XOPEN_SOURCE 700
#include "base/files.h"

#include "base/arena.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <time.h>
#include <unistd.h>

static ag_arena arena;
static char folder[] = "/tmp/output_test_XXXXXX";
static ag_err err;

static const char *in_folder(const char *name) {
  return ag_printf(&arena, "%s/%s", folder, name);
}

static bool both_written(const ag_output *files, int count) {
  err = (ag_err){0};
  return ag_write_files(files, count, NULL, 0, &err);
}

static bool written(const char *path, const char *text) {
  const ag_output file = {path, text};
  return both_written(&file, 1);
}

/* In place of the C library's: after so many, one fails, as of a file that may not be replaced. */
static int renames_left = -1; /* -1: none fails */
int rename(const char *from, const char *to) {
  if (renames_left >= 0 && renames_left-- == 0) {
    errno = EPERM;
    return -1;
  }
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* The file's text, "" where there is none. */
static const char *text_of(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return "";
  char *text = ag_alloc(&arena, 100001);
  const size_t length = fread(text, 1, 100000, file);
  text[length] = '\0';
  fclose(file);
  return text;
}

/* How many files are in the folder. */
static int files(void) {
  DIR *dir = opendir(folder);
  int count = -2; /* . and .. */
  while (dir && readdir(dir)) count++;
  if (dir) closedir(dir);
  return count;
}

static void a_file_is_written(void) {
  const char *path = in_folder("new.h");
  CHECK(written(path, "text\n"));
  CHECK_TEXT(text_of(path), "text\n");
  CHECK(files() == 1);
  CHECK(written(path, ""));
  CHECK_TEXT(text_of(path), "");
  CHECK(files() == 1);
  unlink(path);
}

static void an_old_file_is_replaced_by_another(void) {
  const char *path = in_folder("old.h");
  CHECK(written(path, "old\n"));
  FILE *reader = fopen(path, "r"); /* whoever reads the old one goes on reading it */
  CHECK(reader != NULL);
  CHECK(written(path, "new and longer\n"));
  char line[40] = "";
  CHECK(reader && fgets(line, sizeof line, reader) != NULL);
  CHECK_TEXT(line, "old\n");
  if (reader) fclose(reader);
  CHECK_TEXT(text_of(path), "new and longer\n");
  CHECK(files() == 1);
  unlink(path);
}

static void rights_are_those_that_umask_leaves(void) {
  const char *path = in_folder("rights.h");
  const mode_t before = umask(027);
  CHECK(written(path, "text"));
  struct stat status;
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
  CHECK(umask(before) == 027); /* and it is as it was */
  unlink(path);
}

/* In a child whose files may have 10000 bytes. */
static int written_on_a_full_disk(const char *path) {
  char *text = ag_alloc(&arena, 50001);
  memset(text, 'x', 50000);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {10000, 10000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
    const bool good = written(path, text);
    _exit(good ? 0 : strstr(err.what, strerror(EFBIG)) && strcmp(err.file, path) == 0 ? 1 : 2);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_full_disk_leaves_the_old_file(void) {
  const char *path = in_folder("full.h");
  CHECK(written(path, "precious\n"));
  CHECK(written_on_a_full_disk(path) == 1);
  CHECK_TEXT(text_of(path), "precious\n");
  CHECK(files() == 1);
  unlink(path);
  CHECK(written_on_a_full_disk(path) == 1);
  CHECK(files() == 0);
}

static void a_folder_that_is_not_there(void) {
  const char *path = in_folder("nowhere/x.h");
  CHECK(!written(path, "text"));
  CHECK_TEXT(err.file, path);
  CHECK(strstr(err.what, strerror(ENOENT)) && err.remedy[0]);
  CHECK(files() == 0);
}

static void a_folder_is_no_file(void) {
  CHECK(!written(folder, "text"));
  CHECK_TEXT(err.what, "is a folder");
  CHECK(files() == 0);
}

static void a_path_that_is_too_long(void) {
  char *name = ag_alloc(&arena, 6001);
  memset(name, 'a', 6000);
  CHECK(!written(in_folder(name), "text"));
  CHECK(err.set && files() == 0);
  name[300] = '\0'; /* longer than a name may be, but not than a path */
  CHECK(!written(in_folder(name), "text"));
  CHECK(err.set && files() == 0);
}

/* What is not a regular file stays what it is: nobody wants /dev/null to become one. */
static void a_device_stays_a_device(void) {
  const char *pipe_path = in_folder("pipe");
  CHECK(mkfifo(pipe_path, 0600) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(strcmp(text_of(pipe_path), "text\n") == 0 ? 0 : 1);
  CHECK(written(pipe_path, "text\n"));
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  struct stat there;
  CHECK(stat(pipe_path, &there) == 0 && S_ISFIFO(there.st_mode));
  CHECK(files() == 1);
  unlink(pipe_path);
}

/* A child writes letters in turn until it is ended after a while. */
static bool end_a_writer(const char *path, size_t size, int with, int microseconds) {
  const pid_t child = fork();
  if (child == 0) {
    char *text = ag_alloc(&arena, size + 1);
    for (int letter = 0;; letter = (letter + 1) % 26) {
      memset(text, 'a' + letter, size);
      if (!written(path, text)) _exit(1);
    }
  }
  const struct timespec wait = {0, 1000L * microseconds};
  nanosleep(&wait, NULL);
  int status = 0;
  return child > 0 && kill(child, with) == 0 && waitpid(child, &status, 0) == child &&
         WIFSIGNALED(status) && WTERMSIG(status) == with;
}

/* A pipe without a reader blocks, and SIGTERM ends that. */
static void waiting_for_a_reader_can_be_ended(void) {
  const char *path = in_folder("pipe");
  CHECK(mkfifo(path, 0600) == 0);
  CHECK(end_a_writer(path, 10, SIGTERM, 20000));
  unlink(path);
}

static void a_link_is_followed(void) {
  const char *target = in_folder("target.h"), *path = in_folder("link.h");
  CHECK(written(target, "old"));
  CHECK(symlink("target.h", path) == 0);
  CHECK(written(path, "new"));
  struct stat there;
  CHECK(lstat(path, &there) == 0 && S_ISLNK(there.st_mode));
  CHECK_TEXT(text_of(target), "new");
  CHECK(files() == 2);
  unlink(path);
  unlink(target);
}

/* Two files, of which the second cannot be written: neither is. */
static void several_are_written_together_or_none(void) {
  const ag_output good[] = {{in_folder("a.h"), "new a"}, {in_folder("a.c"), "new c"}};
  const ag_output bad[] = {good[0], {in_folder("nowhere/a.c"), "c"}};
  CHECK(written(good[0].path, "old"));
  CHECK(!both_written(bad, 2));
  CHECK_TEXT(err.file, bad[1].path);
  CHECK_TEXT(text_of(good[0].path), "old");
  CHECK(files() == 1);
  CHECK(both_written(good, 2));
  CHECK_TEXT(text_of(good[0].path), "new a");
  CHECK_TEXT(text_of(good[1].path), "new c");
  CHECK(files() == 2);
  unlink(good[0].path);
  unlink(good[1].path);
}

/* The third cannot be put in place: the first is again what it was, the second again not there. */
static void what_was_replaced_is_put_back(void) {
  const ag_output three[] = {
      {in_folder("a.h"), "new"}, {in_folder("b.h"), "new"}, {in_folder("c.h"), "new"}};
  CHECK(written(three[0].path, "old a") && written(three[2].path, "old c"));
  renames_left = 2;
  CHECK(!both_written(three, 3));
  renames_left = -1;
  CHECK_TEXT(err.file, three[2].path);
  CHECK(strstr(err.what, strerror(EPERM)) && err.remedy[0]);
  CHECK_TEXT(text_of(three[0].path), "old a");
  CHECK_TEXT(text_of(three[2].path), "old c");
  CHECK(files() == 2);
  CHECK(both_written(three, 3));
  CHECK_TEXT(text_of(three[0].path), "new");
  CHECK(files() == 3);
  for (int k = 0; k < 3; k++) unlink(three[k].path);
}

/* Two names of one file, of which one is a link, or goes through a folder's link; also before it is
 * there. */
static void one_file_is_not_written_twice(void) {
  CHECK(symlink("a.h", in_folder("link.h")) == 0 && symlink(".", in_folder("here")) == 0);
  const char *const others[] = {"a.h", "./a.h", "link.h", "here/a.h", "here/link.h"};
  for (int there = 0; there < 2; there++) {
    if (there) CHECK(written(in_folder("a.h"), "old"));
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
      const ag_output two[] = {{in_folder("a.h"), "one"}, {in_folder(others[k]), "two"}};
      CHECK(!both_written(two, 2));
      CHECK_TEXT(err.what, "would be written twice");
      CHECK_TEXT(text_of(in_folder("a.h")), there ? "old" : "");
      CHECK(files() == 2 + there);
    }
  }
  unlink(in_folder("a.h"));
  CHECK(written(in_folder("link.h"), "new")); /* a link to what is not there yet is followed */
  CHECK_TEXT(text_of(in_folder("a.h")), "new");
  CHECK(files() == 3);
  unlink(in_folder("a.h"));
  unlink(in_folder("link.h"));
  CHECK(symlink("link.h", in_folder("link.h")) == 0);
  CHECK(!written(in_folder("link.h"), "new"));
  CHECK(strstr(err.what, "link") != NULL && files() == 2);
  unlink(in_folder("link.h"));
  unlink(in_folder("here"));
}

static void the_rights_of_an_old_file_stay(void) {
  const char *path = in_folder("private.h");
  struct stat status;
  CHECK(written(path, "old") && chmod(path, 0600) == 0 && written(path, "new"));
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
  CHECK(chmod(path, 0400) == 0);
  const pid_t child = fork(); /* who may write everything is told to be somebody */
  if (child == 0)
    _exit((geteuid() != 0 || (chown(folder, 65534, 65534) == 0 && chown(path, 65534, 65534) == 0 &&
                              seteuid(65534) == 0)) &&
                  !written(path, "newer") && strstr(err.remedy, "chmod")
              ? 0
              : 1);
  int end = 1;
  CHECK(waitpid(child, &end, 0) == child && end == 0);
  CHECK_TEXT(text_of(path), "new");
  CHECK(files() == 1);
  unlink(path);
}

/* Is the file whole, of one letter all over? */
static bool whole(const char *path, size_t size) {
  const char *text = text_of(path);
  return strlen(text) == size && strspn(text, (char[]){text[0], '\0'}) == size;
}

static void an_end_in_the_middle_leaves_a_whole_file(void) {
  enum { SIZE = 90000, ROUNDS = 60 };
  const char *path = in_folder("ended.h");
  char *text = ag_alloc(&arena, SIZE + 1);
  memset(text, 'z', SIZE);
  CHECK(written(path, text));
  bool ended = true, stays_whole = true;
  for (int round = 0; round < ROUNDS; round++) {
    ended &= end_a_writer(path, SIZE, SIGTERM, 137 * round);
    stays_whole &= whole(path, SIZE);
  }
  CHECK(ended && stays_whole);
  CHECK(files() == 1); /* SIGTERM waits until the temporary is away */
  for (int round = 0; round < ROUNDS; round++) {
    ended &= end_a_writer(path, SIZE, SIGKILL, 137 * round);
    stays_whole &= whole(path, SIZE);
  }
  CHECK(ended && stays_whole);
  printf("%d temporaries left by SIGKILL\n", files() - 1);
  CHECK(written(path, "short")); /* what SIGKILL left lies in nobody's way */
  CHECK_TEXT(text_of(path), "short");
}

static void remove_all(void) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (entry->d_name[0] != '.') unlink(in_folder(entry->d_name));
  if (dir) closedir(dir);
}

int main(void) {
  if (!mkdtemp(folder)) return 1;
  RUN(a_file_is_written);
  RUN(an_old_file_is_replaced_by_another);
  RUN(rights_are_those_that_umask_leaves);
  RUN(a_full_disk_leaves_the_old_file);
  RUN(a_folder_that_is_not_there);
  RUN(a_folder_is_no_file);
  RUN(a_path_that_is_too_long);
  RUN(a_device_stays_a_device);
  RUN(waiting_for_a_reader_can_be_ended);
  RUN(a_link_is_followed);
  RUN(several_are_written_together_or_none);
  RUN(what_was_replaced_is_put_back);
  RUN(one_file_is_not_written_twice);
  RUN(the_rights_of_an_old_file_stay);
  RUN(an_end_in_the_middle_leaves_a_whole_file);
  remove_all();
  rmdir(folder);
  ag_arena_free(&arena);
  return test_end();
}
