// Every memory order on atomic operations, fences, flags, pointers and bools.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    atomic_int v = 1;
    atomic_store_explicit(&v, 2, memory_order_relaxed);
    atomic_store_explicit(&v, 3, memory_order_release);
    atomic_store_explicit(&v, 4, memory_order_seq_cst);
    int s = atomic_load_explicit(&v, memory_order_relaxed) + atomic_load_explicit(&v, memory_order_consume)
          + atomic_load_explicit(&v, memory_order_acquire) + atomic_load_explicit(&v, memory_order_seq_cst);
    printf("%d\n", s);
    memory_order const o[] = {memory_order_relaxed, memory_order_consume, memory_order_acquire,
                              memory_order_release, memory_order_acq_rel, memory_order_seq_cst};
    for (int i = 0; i < 6; i++) {    /* a run-time order */
        printf("%d ", atomic_fetch_add_explicit(&v, i, o[i]));
        printf("%d ", atomic_fetch_xor_explicit(&v, 9, o[i]));
        printf("%d ", atomic_exchange_explicit(&v, i * 10, o[i]));
    }
    puts("");
    int e = 0;
    printf("%d", atomic_compare_exchange_strong_explicit(&v, &e, 1, memory_order_acq_rel, memory_order_relaxed));
    printf(" %d", e);
    printf(" %d", atomic_compare_exchange_strong_explicit(&v, &e, 1, memory_order_release, memory_order_relaxed));
    e = 1;
    while (!atomic_compare_exchange_weak_explicit(&v, &e, 77, memory_order_seq_cst, memory_order_acquire))
        ;
    printf(" %d\n", v);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_flag f = ATOMIC_FLAG_INIT;
    bool t0 = atomic_flag_test_and_set(&f);
    bool t1 = atomic_flag_test_and_set_explicit(&f, memory_order_acquire);
    atomic_flag_clear_explicit(&f, memory_order_release);
    bool t2 = atomic_flag_test_and_set(&f);
    printf("%d %d %d\n", t0, t1, t2);
    static int arr[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
    int *_Atomic p = arr + 1;
    p++;
    ++p;
    printf("%d", *p);
    p++;
    printf(" %d", *p);
    int *q = atomic_exchange(&p, &arr[9]);
    printf(" %d %d\n", *q, *atomic_load(&p));
    atomic_bool b = false;
    printf("%d", atomic_exchange(&b, true));
    printf(" %d %d\n", atomic_load(&b), atomic_is_lock_free(&v));
    _Atomic double d = 1.5;
    d += 2.25;
    d = d * 2;
    _Atomic float g = 3;
    g /= 2;
    double plain = d;
    float half = g;
    printf("%g %g\n", plain, half);
    return 0;
}
