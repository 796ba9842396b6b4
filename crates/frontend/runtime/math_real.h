/* Included by math.c once per floating-point type; see there. */

#define BIAS (EXPONENT_MAX / 2)
#define FRACTION_MASK ((((BITS)1) << FRACTION_BITS) - 1)
#define SIGN_BIT ((BITS)1 << (sizeof(REAL) * 8 - 1))
#define INFINITE_BITS ((BITS)EXPONENT_MAX << FRACTION_BITS)

static BITS NAME(bits_of)(REAL value) {
  union { REAL value; BITS bits; } both = {.value = value};
  return both.bits;
}

static REAL NAME(from_bits)(BITS bits) {
  union { BITS bits; REAL value; } both = {.bits = bits};
  return both.value;
}

/* The biased exponent as it is stored. */
static int NAME(exponent_of)(REAL value) {
  return (int)(NAME(bits_of)(value) >> FRACTION_BITS & EXPONENT_MAX);
}

static REAL NAME(with_exponent)(REAL value, int exponent) {
  BITS others = NAME(bits_of)(value) & ~INFINITE_BITS;
  return NAME(from_bits)(others | (BITS)exponent << FRACTION_BITS);
}

/* Two to the power of `exponent`, which is one of a normal number. */
static REAL NAME(power_of_two)(int exponent) {
  return NAME(from_bits)((BITS)(exponent + BIAS) << FRACTION_BITS);
}

/* A number that is not zero, infinite or NaN, made normal if it was not;
 * `*exponent` is its true biased exponent (0 or less if it was subnormal). */
static REAL NAME(normalise)(REAL value, int *exponent) {
  *exponent = NAME(exponent_of)(value);
  if (*exponent != 0) return value;
  value *= NAME(power_of_two)(FRACTION_BITS + 2);
  *exponent = NAME(exponent_of)(value) - (FRACTION_BITS + 2);
  return value;
}

/* Classes. */

int NAME(__isnan)(REAL value) { return value != value; }

/* -1 or 1 by the sign of an infinity. */
int NAME(__isinf)(REAL value) {
  BITS bits = NAME(bits_of)(value);
  if ((bits & ~SIGN_BIT) != INFINITE_BITS) return 0;
  return bits & SIGN_BIT ? -1 : 1;
}

int NAME(__finite)(REAL value) { return NAME(exponent_of)(value) != EXPONENT_MAX; }
int NAME(__signbit)(REAL value) { return (NAME(bits_of)(value) & SIGN_BIT) != 0; }
int NAME(isnan)(REAL value) { return NAME(__isnan)(value); }
int NAME(isinf)(REAL value) { return NAME(__isinf)(value); }
int NAME(finite)(REAL value) { return NAME(__finite)(value); }

int NAME(__fpclassify)(REAL value) {
  BITS fraction = NAME(bits_of)(value) & FRACTION_MASK;
  int exponent = NAME(exponent_of)(value);
  if (exponent == EXPONENT_MAX) return fraction != 0 ? CLASS_NAN : CLASS_INFINITE;
  if (exponent != 0) return CLASS_NORMAL;
  return fraction != 0 ? CLASS_SUBNORMAL : CLASS_ZERO;
}

static bool NAME(is_finite_nonzero)(REAL value) {
  return NAME(__finite)(value) && value != 0;
}

/* Signs. */

REAL NAME(fabs)(REAL value) {
  return NAME(from_bits)(NAME(bits_of)(value) & ~SIGN_BIT);
}

REAL NAME(copysign)(REAL value, REAL sign) {
  BITS bits = NAME(bits_of)(value) & ~SIGN_BIT;
  return NAME(from_bits)(bits | (NAME(bits_of)(sign) & SIGN_BIT));
}

/* Exponents. */

REAL NAME(frexp)(REAL value, int *exponent) {
  *exponent = 0;
  if (!NAME(is_finite_nonzero)(value)) return value + value;
  int biased;
  value = NAME(normalise)(value, &biased);
  *exponent = biased - (BIAS - 1);
  return NAME(with_exponent)(value, BIAS - 1);
}

/* Only the last multiplication rounds, so the result is rounded once. */
static REAL NAME(scale)(REAL value, long by) {
  if (!NAME(is_finite_nonzero)(value)) return value + value;
  int biased;
  value = NAME(normalise)(value, &biased);
  if (by > 100000) by = 100000;
  if (by < -100000) by = -100000;
  int result = biased + (int)by;
  if (result >= EXPONENT_MAX) {
    return NAME(copysign)(NAME(from_bits)(INFINITE_BITS), value);
  }
  if (result > 0) return NAME(with_exponent)(value, result);
  if (result <= -(FRACTION_BITS + 2)) return NAME(copysign)(0, value);
  value = NAME(with_exponent)(value, result + FRACTION_BITS + 2);
  return value * NAME(power_of_two)(-(FRACTION_BITS + 2));
}

/* Overflow and underflow to zero are range errors. */
static REAL NAME(scale_checked)(REAL value, long by) {
  REAL result = NAME(scale)(value, by);
  if (NAME(is_finite_nonzero)(value) && !NAME(is_finite_nonzero)(result)) {
    errno = ERANGE;
  }
  return result;
}

REAL NAME(ldexp)(REAL value, int by) { return NAME(scale_checked)(value, by); }
REAL NAME(scalbn)(REAL value, int by) { return NAME(scale_checked)(value, by); }
REAL NAME(scalbln)(REAL value, long by) { return NAME(scale_checked)(value, by); }

int NAME(ilogb)(REAL value) {
  if (!NAME(is_finite_nonzero)(value)) {
    errno = EDOM;
    return NAME(__isinf)(value) ? INT_MAX : INT_MIN;
  }
  int biased;
  NAME(normalise)(value, &biased);
  return biased - BIAS;
}

REAL NAME(logb)(REAL value) {
  if (value == 0) return -NAME(from_bits)(INFINITE_BITS);
  if (!NAME(__finite)(value)) return value * value;
  int biased;
  NAME(normalise)(value, &biased);
  return (REAL)(biased - BIAS);
}

REAL NAME(significand)(REAL value) {
  if (!NAME(is_finite_nonzero)(value)) {
    errno = EDOM;
    return value + value;
  }
  int biased;
  value = NAME(normalise)(value, &biased);
  return NAME(with_exponent)(value, BIAS);
}

REAL NAME(modf)(REAL value, REAL *whole) {
  int exponent = NAME(exponent_of)(value) - BIAS;
  if (exponent >= FRACTION_BITS) {
    *whole = value * 1;
    if (value != value) return value * 1;
    return NAME(copysign)(0, value);
  }
  if (exponent < 0) {
    *whole = NAME(copysign)(0, value);
    return value;
  }
  BITS below_point = FRACTION_MASK >> exponent;
  *whole = NAME(from_bits)(NAME(bits_of)(value) & ~below_point);
  return NAME(copysign)(value - *whole, value);
}

/* Neighbours. */

REAL NAME(nextafter)(REAL from, REAL towards) {
  if (from != from || towards != towards) return towards + from;
  if (from == towards) return towards;
  if (from == 0) return NAME(copysign)(NAME(from_bits)(1), towards);
  BITS bits = NAME(bits_of)(from);
  bool away_from_zero = (from < towards) == (from > 0);
  REAL result = NAME(from_bits)(away_from_zero ? bits + 1 : bits - 1);
  int exponent = NAME(exponent_of)(result);
  if (exponent == EXPONENT_MAX || exponent == 0) errno = ERANGE;
  return result;
}

/* Minimum, maximum, difference. Of equal numbers (zeros) the second is the
 * result, as on x86-64; a quiet NaN loses against a number. */

static bool NAME(is_signalling)(REAL value) {
  return value != value &&
         (NAME(bits_of)(value) & (BITS)1 << (FRACTION_BITS - 1)) == 0;
}

REAL NAME(fmin)(REAL a, REAL b) {
  if (NAME(is_signalling)(a) || NAME(is_signalling)(b)) return a + b;
  if (b != b) return a;
  return a < b ? a : b;
}

REAL NAME(fmax)(REAL a, REAL b) {
  if (NAME(is_signalling)(a) || NAME(is_signalling)(b)) return a + b;
  if (b != b) return a;
  return a > b ? a : b;
}

REAL NAME(fdim)(REAL a, REAL b) {
  if (a <= b) return 0;
  REAL difference = a - b;
  if (NAME(__isinf)(difference) && NAME(__finite)(a) && NAME(__finite)(b)) {
    errno = ERANGE;
  }
  return difference;
}

/* NaNs with a payload: what strtod makes of "nan(payload)". */
REAL NAME(nan)(const char *payload) {
  char local[72] = "nan(";
  size_t used = 4;
  for (; *payload != 0 && used < sizeof local - 2; payload++) {
    if (*payload == ')') return PARSE("nan", NULL);
    local[used++] = *payload;
  }
  local[used++] = ')';
  local[used] = 0;
  return PARSE(local, NULL);
}

#undef BIAS
#undef FRACTION_MASK
#undef SIGN_BIT
#undef INFINITE_BITS
