/* SPDX-License-Identifier: MIT */
#include "rod_achd.h"
int main(void) {
  return 0;
}
