// Saturating addition and subtraction (clang's elementwise builtins), min and max, atomic_is_lock_free.
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

int main(void) {
    volatile int big = INT_MAX - 2, small = INT_MIN + 2, step = 5;
    volatile unsigned ubig = UINT_MAX - 2, usmall = 2;
    volatile short narrow = 32760;
    volatile unsigned char byte = 250;
    int a = big, b = small, s = step;
    unsigned c = ubig, d = usmall;
    short n = narrow, m = 100;
    unsigned char e = byte, f = 10;
    printf("%d %d\n", __builtin_elementwise_add_sat(a, s), __builtin_elementwise_sub_sat(b, s));
    printf("%d %d\n", __builtin_elementwise_add_sat(b, s), __builtin_elementwise_sub_sat(a, s));
    printf("%u %u\n", __builtin_elementwise_add_sat(c, (unsigned)s), __builtin_elementwise_sub_sat(d, (unsigned)s));
    printf("%d %d\n", __builtin_elementwise_add_sat(n, m), __builtin_elementwise_sub_sat(m, n));
    printf("%d %d\n", __builtin_elementwise_add_sat(e, f), __builtin_elementwise_sub_sat(f, e));
    printf("%d %d\n", __builtin_elementwise_min(a, s), __builtin_elementwise_max(b, s));
    printf("%u %u\n", __builtin_elementwise_min(c, d), __builtin_elementwise_max(c, d));
    atomic_int word = 0;
    atomic_llong wide = 0;
    printf("%d %d\n", (int)atomic_is_lock_free(&word), (int)atomic_is_lock_free(&wide));
    return 0;
}
