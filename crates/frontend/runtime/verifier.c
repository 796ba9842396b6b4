/* What programs written for verifiers use: selvedge.h, and the functions of the
 * SV-COMP rules. (The tool itself treats functions whose names begin with
 * __VERIFIER_atomic_ as atomic; those here are the explicit begin and end.) */
#include "../../clang/include/selvedge.h"
#include "selvedge_builtins.h"

#include <pthread.h>
#include <stddef.h>

int selvedge_choose(int n) {
  if (n < 1) __selvedge_unsupported("selvedge_choose from less than one number");
  return __selvedge_choose(n);
}

void selvedge_assume(int condition) { __selvedge_assume(condition); }

void __VERIFIER_assume(int condition) { __selvedge_assume(condition); }

_Noreturn void __VERIFIER_error(void) {
  __selvedge_assert_fail("reach_error()", "", 0, "");
}

_Noreturn void reach_error(void) {
  __selvedge_assert_fail("reach_error()", "", 0, "");
}

void __VERIFIER_atomic_begin(void) { __selvedge_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __selvedge_atomic_end(); }

/* A truth value has two; for everything else the user chose a range of numbers. */

_Bool __VERIFIER_nondet_bool(void) { return __selvedge_choose(2); }
_Bool __VERIFIER_nondet__Bool(void) { return __selvedge_choose(2); }

void *__VERIFIER_nondet_pointer(void) {
  return (void *)(long)__selvedge_nondet();
}

#define NONDET(name, type) \
  type __VERIFIER_nondet_##name(void) { return (type)__selvedge_nondet(); }

NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(unsigned_char, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(unsigned_long, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(u64, unsigned long)
NONDET(s8, signed char)
NONDET(s16, short)
NONDET(s32, int)
NONDET(s64, long)
NONDET(size_t, size_t)
NONDET(ssize_t, long)
NONDET(loff_t, long)
NONDET(off_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, pthread_t)
NONDET(float, float)
NONDET(double, double)
