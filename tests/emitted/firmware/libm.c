/* SPDX-License-Identifier: MIT */
/* libm.c: the five functions of libm that the runtime calls, in float, for a test that links
 * nothing else. Errors are a few units of rounding; arguments of sine and cosine up to some
 * hundred. */

float sqrtf(float x);
float fmaf(float a, float b, float c);
float sinf(float x);
float cosf(float x);
float atan2f(float y, float x);

float sqrtf(float x) {
  float root;
  __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
  return root;
}

float fmaf(float a, float b, float c) {
  __asm__("vfma.f32 %0, %1, %2" : "+t"(c) : "t"(a), "t"(b));
  return c;
}

/* Taylor's series on -pi/4 .. pi/4. */
static float near_sine(float x) {
  const float s = x * x;
  return x * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))));
}

static float near_cosine(float x) {
  const float s = x * x;
  return 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))));
}

float sinf(float x) {
  const int quarter = (int)(x * 0.636619772F + (x < 0 ? -0.5F : 0.5F));
  const float n = (float)quarter, r = (x - n * 1.5703125F) - n * 4.83826794897e-4F;
  const float value = quarter & 1 ? near_cosine(r) : near_sine(r);
  return quarter & 2 ? -value : value;
}

float cosf(float x) {
  return sinf(x + 1.57079633F);
}

/* Of 0 .. 1: halved twice by atan x = 2 atan (x / (1 + sqrt(1 + x^2))), then the series. */
static float near_arc(float x) {
  for (int i = 0; i < 2; i++) x = x / (1 + sqrtf(1 + x * x));
  const float s = x * x;
  return 4 * x * (1 - s * (1.0F / 3 - s * (1.0F / 5 - s * (1.0F / 7 - s / 9))));
}

float atan2f(float y, float x) {
  const float a = x < 0 ? -x : x, b = y < 0 ? -y : y;
  if (a == 0 && b == 0) return 0;
  float angle = b > a ? 1.57079633F - near_arc(a / b) : near_arc(b / a);
  if (x < 0) angle = 3.14159265F - angle;
  return y < 0 ? -angle : angle;
}
