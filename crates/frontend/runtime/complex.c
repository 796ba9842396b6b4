/* Complex arithmetic for double: the multiplication and division which the
 * compiler calls when infinities or NaNs may be involved (C11 Annex G), with the
 * algorithms of GCC 12's libgcc, so that the results are the same to the bit; and
 * the simple functions of <complex.h>. See complexf.c for float. */
#include <float.h>
#include <stdbool.h>

/* Products are rounded before they are added. */
#pragma STDC FP_CONTRACT OFF

double atan2(double y, double x);
double hypot(double x, double y);
double fabs(double value);
double copysign(double value, double sign);

static bool is_nan(double x) { return x != x; }
static bool is_infinite(double x) { return fabs(x) > DBL_MAX; }
static bool is_finite(double x) { return fabs(x) <= DBL_MAX; }

/* An infinity becomes one, all else zero, with the sign kept. */
static double box(double x) { return copysign(is_infinite(x) ? 1 : 0, x); }
static double zero_if_nan(double x) { return is_nan(x) ? copysign(0, x) : x; }

static double _Complex make(double real, double imaginary) {
  double _Complex z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

double _Complex __muldc3(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double x = ac - bd, y = ad + bc;
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
  double infinity = __builtin_inf();
  return make(infinity * (a * c - b * d), infinity * (a * d + b * c));
}

/* Smith's method, with scaling by Baudin and Smith against overflow and underflow
 * on the way. */
double _Complex __divdc3(double a, double b, double c, double d) {
  const double big = DBL_MAX / 2, small = DBL_MIN, scale = 1 / DBL_EPSILON;
  const double middle = big * DBL_EPSILON;
  bool swapped = fabs(c) < fabs(d);
  double larger = swapped ? d : c;
  if (fabs(larger) >= big) {
    a /= 2, b /= 2, c /= 2, d /= 2;
  }
  larger = swapped ? d : c;
  if (fabs(larger) < DBL_EPSILON ||
      (fabs(a) < small && fabs(b) < middle && fabs(larger) < middle) ||
      (fabs(b) < small && fabs(a) < middle && fabs(larger) < middle)) {
    a *= scale, b *= scale, c *= scale, d *= scale;
  }
  double x, y;
  if (swapped) {
    double ratio = c / d, denominator = c * ratio + d;
    if (fabs(ratio) > small) {
      x = (a * ratio + b) / denominator;
      y = (b * ratio - a) / denominator;
    } else {
      x = (c * (a / d) + b) / denominator;
      y = (c * (b / d) - a) / denominator;
    }
  } else {
    double ratio = d / c, denominator = d * ratio + c;
    if (fabs(ratio) > small) {
      x = (b * ratio + a) / denominator;
      y = (b - a * ratio) / denominator;
    } else {
      x = (a + d * (b / c)) / denominator;
      y = (b - d * (a / c)) / denominator;
    }
  }
  if (!is_nan(x) || !is_nan(y)) return make(x, y);
  double infinity = __builtin_inf();
  if (c == 0 && d == 0 && (!is_nan(a) || !is_nan(b))) {
    return make(copysign(infinity, c) * a, copysign(infinity, c) * b);
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

double creal(double _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
double _Complex conj(double _Complex z) { return make(__real__ z, -__imag__ z); }

double _Complex cproj(double _Complex z) {
  if (!is_infinite(__real__ z) && !is_infinite(__imag__ z)) return z;
  return make(__builtin_inf(), copysign(0, __imag__ z));
}
