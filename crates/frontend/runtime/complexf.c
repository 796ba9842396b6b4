/* Complex arithmetic for float; see complex.c. Note for the machine: on x86-64 a
 * float _Complex is passed and returned as <2 x float>, in the programs' calls as
 * well as here. That is why these functions have a file of their own. */
#include <float.h>
#include <stdbool.h>

/* Products are rounded before they are added. */
#pragma STDC FP_CONTRACT OFF

float atan2f(float y, float x);
float hypotf(float x, float y);
float fabsf(float value);
float copysignf(float value, float sign);

static bool is_nan(float x) { return x != x; }
static bool is_infinite(float x) { return fabsf(x) > FLT_MAX; }
static bool is_finite(float x) { return fabsf(x) <= FLT_MAX; }

static float box(float x) { return copysignf(is_infinite(x) ? 1 : 0, x); }
static float zero_if_nan(float x) { return is_nan(x) ? copysignf(0, x) : x; }

static float _Complex make(float real, float imaginary) {
  float _Complex z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

float _Complex __mulsc3(float a, float b, float c, float d) {
  float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  float x = ac - bd, y = ad + bc;
  if (!is_nan(x) || !is_nan(y)) return make(x, y);
  bool recalculate = false;
  if (is_infinite(a) || is_infinite(b)) {
    a = box(a), b = box(b);
    c = zero_if_nan(c), d = zero_if_nan(d);
    recalculate = true;
  }
  if (is_infinite(c) || is_infinite(d)) {
    c = box(c), d = box(d);
    a = zero_if_nan(a), b = zero_if_nan(b);
    recalculate = true;
  }
  if (!recalculate && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) ||
                       is_infinite(bc))) {
    a = zero_if_nan(a), b = zero_if_nan(b);
    c = zero_if_nan(c), d = zero_if_nan(d);
    recalculate = true;
  }
  if (!recalculate) return make(x, y);
  float infinity = __builtin_inff();
  return make(infinity * (a * c - b * d), infinity * (a * d + b * c));
}

/* In double nothing overflows on the way, so the textbook formula will do. */
float _Complex __divsc3(float a, float b, float c, float d) {
  double wide_a = a, wide_b = b, wide_c = c, wide_d = d;
  double denominator = wide_c * wide_c + wide_d * wide_d;
  float x = (float)((wide_a * wide_c + wide_b * wide_d) / denominator);
  float y = (float)((wide_b * wide_c - wide_a * wide_d) / denominator);
  if (!is_nan(x) || !is_nan(y)) return make(x, y);
  float infinity = __builtin_inff();
  if (c == 0 && d == 0 && (!is_nan(a) || !is_nan(b))) {
    return make(copysignf(infinity, c) * a, copysignf(infinity, c) * b);
  }
  if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
    a = box(a), b = box(b);
    return make(infinity * (a * c + b * d), infinity * (b * c - a * d));
  }
  if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
    c = box(c), d = box(d);
    return make(0 * (a * c + b * d), 0 * (b * c - a * d));
  }
  return make(x, y);
}

float crealf(float _Complex z) { return __real__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
float _Complex conjf(float _Complex z) { return make(__real__ z, -__imag__ z); }

float _Complex cprojf(float _Complex z) {
  if (!is_infinite(__real__ z) && !is_infinite(__imag__ z)) return z;
  return make(__builtin_inff(), copysignf(0, __imag__ z));
}
