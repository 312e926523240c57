/* SPDX-License-Identifier: MIT */
/* main.c: experiments NUMBER [FOLDER]: carries an experiment out, faster than real time; FOLDER gets
 * log.csv and run.json (docs/report.md). Exit 1 where a bound does not hold. */
#include "experiments/experiment.h"

int main(int argc, char **argv) {
  static experiment_run *const all[] = {
      run_free_motion, run_free_motion, run_free_motion, run_free_motion, run_cleaning, run_load,
      run_slide,       run_slide,       run_elbow,       run_rod,         run_tree,     run_wall,
      run_hospital,    run_bump,        run_friction,    run_hook};
  const int count = sizeof all / sizeof *all, number = argc > 1 ? atoi(argv[1]) : 0;
  if (argc < 2 || argc > 3 || number < 1 || number > count) {
    fprintf(stderr, "usage: experiments 1..%d [FOLDER]\n", count);
    return 2;
  }
  return all[number - 1](number, argc > 2 ? argv[2] : NULL) ? 0 : 1;
}
