/* SPDX-License-Identifier: MIT */
/* turn.c: see turn.h. In long double, since MuJoCo multiplies it all again in double. */
#include "mjcf/turn.h"

#include <math.h>

enum { SWEEPS = 60 }; /* of a 3 x 3 matrix, which needs five or so */

/* Shepperd's method: the largest of the four is found first, so that nothing cancels. */
static void quaternion_of(long double R[3][3], double quaternion[4]) {
  const long double trace = R[0][0] + R[1][1] + R[2][2];
  long double q[4];
  int k = 0; /* q[k] is the largest; 4 q[k]^2 = 1 + trace or 1 + 2 R[k-1][k-1] - trace */
  for (int i = 0; i < 3; i++)
    if (R[i][i] > (k ? R[k - 1][k - 1] : trace)) k = i + 1;
  if (k == 0) {
    q[0] = 1 + trace;
    q[1] = R[2][1] - R[1][2];
    q[2] = R[0][2] - R[2][0];
    q[3] = R[1][0] - R[0][1];
  } else {
    const int i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    q[0] = R[l][j] - R[j][l];
    q[1 + i] = 1 + 2 * R[i][i] - trace;
    q[1 + j] = R[j][i] + R[i][j];
    q[1 + l] = R[l][i] + R[i][l];
  }
  long double sum = 0;
  for (int i = 0; i < 4; i++) sum += q[i] * q[i];
  const long double length = (q[0] < 0 ? -1 : 1) * sqrtl(sum);
  for (int i = 0; i < 4; i++) quaternion[i] = (double)(q[i] / length);
}

void ag_quaternion(const ag_pose *pose, double quaternion[4]) {
  long double wide[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) wide[i][j] = pose->R[i][j];
  quaternion_of(wide, quaternion);
}

/* One rotation of Jacobi's method: A' = J^T A J with A'[p][q] = 0, V' = V J. */
static void jacobi(long double A[3][3], long double V[3][3], int p, int q) {
  if (A[p][q] == 0) return;
  const long double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const long double t = (theta < 0 ? -1 : 1) / (fabsl(theta) + sqrtl(theta * theta + 1));
  const long double c = 1 / sqrtl(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const long double kp = A[k][p], kq = A[k][q];
    A[k][p] = c * kp - s * kq;
    A[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; k++) {
    const long double pk = A[p][k], qk = A[q][k];
    A[p][k] = c * pk - s * qk;
    A[q][k] = s * pk + c * qk;
    const long double vp = V[k][p], vq = V[k][q];
    V[k][p] = c * vp - s * vq;
    V[k][q] = s * vp + c * vq;
  }
  A[p][q] = A[q][p] = 0;
}

void ag_principal_axes(const double tensor[6], double moments[3], double quaternion[4]) {
  const double *t = tensor;
  long double A[3][3] = {{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
  long double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; /* a product of rotations: one, too */
  for (int sweep = 0; sweep < SWEEPS && (A[0][1] != 0 || A[0][2] != 0 || A[1][2] != 0); sweep++) {
    jacobi(A, V, 0, 1);
    jacobi(A, V, 0, 2);
    jacobi(A, V, 1, 2);
  }
  for (int i = 0; i < 3; i++) moments[i] = (double)A[i][i];
  quaternion_of(V, quaternion);
}
