/* Functions of the compilers' own runtime libraries that a program may name. The
 * compiler itself expresses all of this as instructions and intrinsics. */
#include <stdint.h>

typedef unsigned __int128 uint128;

int __popcountsi2(int value) { return __builtin_popcount((unsigned)value); }
int __popcountdi2(long value) { return __builtin_popcountl((unsigned long)value); }

int __popcountti2(__int128 value) {
  return __popcountdi2((long)value) + __popcountdi2((long)((uint128)value >> 64));
}

int __paritysi2(int value) { return __popcountsi2(value) & 1; }
int __paritydi2(long value) { return __popcountdi2(value) & 1; }
int __parityti2(__int128 value) { return __popcountti2(value) & 1; }

int __clzsi2(int value) { return __builtin_clz((unsigned)value); }
int __clzdi2(long value) { return __builtin_clzl((unsigned long)value); }

int __clzti2(__int128 value) {
  uint64_t high = (uint64_t)((uint128)value >> 64);
  return high != 0 ? __builtin_clzl(high) : 64 + __builtin_clzl((uint64_t)value);
}

int __ctzsi2(int value) { return __builtin_ctz((unsigned)value); }
int __ctzdi2(long value) { return __builtin_ctzl((unsigned long)value); }

int __ctzti2(__int128 value) {
  uint64_t low = (uint64_t)value;
  return low != 0 ? __builtin_ctzl(low)
                  : 64 + __builtin_ctzl((uint64_t)((uint128)value >> 64));
}

int __ffssi2(int value) { return __builtin_ffs(value); }
int __ffsdi2(long value) { return __builtin_ffsl(value); }
int __ffsti2(__int128 value) { return value == 0 ? 0 : __ctzti2(value) + 1; }

int __bswapsi2(int value) { return (int)__builtin_bswap32((uint32_t)value); }
long __bswapdi2(long value) { return (long)__builtin_bswap64((uint64_t)value); }

/* Powers with integer exponents. */

double __powidf2(double base, int exponent) {
  unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;
  double power = left % 2 != 0 ? base : 1;
  while (left >>= 1) {
    base *= base;
    if (left % 2 != 0) power *= base;
  }
  return exponent < 0 ? 1 / power : power;
}

float __powisf2(float base, int exponent) {
  unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent;
  float power = left % 2 != 0 ? base : 1;
  while (left >>= 1) {
    base *= base;
    if (left % 2 != 0) power *= base;
  }
  return exponent < 0 ? 1 / power : power;
}
