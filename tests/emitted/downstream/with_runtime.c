/* SPDX-License-Identifier: MIT */
#include <achd/abag.h>

#include <stdio.h>

int main(void) {
  const achd_abag_parameters p = {(achd_real)0.9, (achd_real)0.5,  (achd_real)0.01,
                                  (achd_real)0.5, (achd_real)0.01, ACHD_ABAG_LIMITS};
  printf("%d bytes, %s\n", (int)sizeof(achd_real), achd_abag_valid(&p) ? "valid" : "invalid");
  return 0;
}
