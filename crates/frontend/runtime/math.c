/* The part of <math.h> that is bit manipulation rather than numerics: exponents,
 * signs, neighbours, classes. It is bit-exact with glibc on x86-64, errno
 * included. All else (sin, sqrt, floor, ...) the machine provides under its own
 * name. The functions for double and float are the same text, in math_real.h.
 *
 * <math.h> itself is not included: some of its names are macros. long double is
 * unsupported; nexttoward is declared with another type to keep it out. */
#include "selvedge_builtins.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);

/* What fpclassify() returns. */
enum { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_SUBNORMAL, CLASS_NORMAL };

#define REAL double
#define BITS uint64_t
#define NAME(name) name
#define PARSE strtod
#define FRACTION_BITS 52
#define EXPONENT_MAX 0x7ff
#include "math_real.h"
#undef REAL
#undef BITS
#undef NAME
#undef PARSE
#undef FRACTION_BITS
#undef EXPONENT_MAX

#define REAL float
#define BITS uint32_t
#define NAME(name) name##f
#define PARSE strtof
#define FRACTION_BITS 23
#define EXPONENT_MAX 0xff
#include "math_real.h"

_Noreturn void nexttoward(void) { __selvedge_unsupported("the function `nexttoward`"); }
_Noreturn void nexttowardf(void) { __selvedge_unsupported("the function `nexttowardf`"); }
