// expect: verified
// flags: -DT=3
// a lock by test-and-set, three threads
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef T
#define T 2
#endif
static atomic_flag l = ATOMIC_FLAG_INIT; static int x;
static void *w(void *a) { while (atomic_flag_test_and_set_explicit(&l, memory_order_acquire)) {} x++; atomic_flag_clear_explicit(&l, memory_order_release); return a; }
int main(void) { pthread_t t[T]; for (int i = 0; i < T; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < T; i++) pthread_join(t[i], 0); assert(x == T); }
