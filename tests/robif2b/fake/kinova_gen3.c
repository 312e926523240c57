/* SPDX-License-Identifier: MIT */
/* kinova_gen3.c: an arm that stands still, answers for a fifth of a second, and is then gone. */
#include <robif2b/functions/kinova_gen3.h>

#include <stdio.h>
#include <stdlib.h>

struct robif2b_kinova_gen3_comm {
  int updates;
};

static void measure(struct robif2b_kinova_gen3_nbx *b) {
  static const double above[] = {5.988079, 0.839180, 3.568712, 4.246810,
                                 5.472306, 5.843974, 0.761116};
  for (int j = 0; j < ROBIF2B_KINOVA_GEN3_NR_JOINTS; j++) {
    b->jnt_pos_msr[j] = above[j];
    b->jnt_vel_msr[j] = b->jnt_trq_msr[j] = b->act_cur_msr[j] = 0;
  }
  for (int i = 0; i < 3; i++) b->imu_ang_vel_msr[i] = b->imu_lin_acc_msr[i] = 0;
}

void robif2b_kinova_gen3_configure(struct robif2b_kinova_gen3_nbx *b) {
  b->comm = calloc(1, sizeof *b->comm);
  *b->success = b->comm != NULL;
  puts("fake: configure");
  measure(b);
}

void robif2b_kinova_gen3_recover(struct robif2b_kinova_gen3_nbx *b) {
  puts("fake: recover");
  *b->success = true;
}

void robif2b_kinova_gen3_start(struct robif2b_kinova_gen3_nbx *b) {
  puts("fake: start");
  *b->success = true;
}

void robif2b_kinova_gen3_update(struct robif2b_kinova_gen3_nbx *b) {
  *b->success = b->comm->updates++ < 200;
  if (*b->success) measure(b);
}

void robif2b_kinova_gen3_stop(struct robif2b_kinova_gen3_nbx *b) {
  printf("fake: stop after %s updates\n", b->comm->updates < 220 ? "few" : "many");
  *b->success = true;
}

void robif2b_kinova_gen3_shutdown(struct robif2b_kinova_gen3_nbx *b) {
  puts("fake: shutdown");
  free(b->comm);
  *b->success = true;
}
