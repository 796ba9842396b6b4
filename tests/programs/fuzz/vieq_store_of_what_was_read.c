// expect: assertion line 39
// selvedge: --explorer vieq --workers 1
// found by fuzz explore: the tool has not found: outcome x=0 y=2 t0.r1=1 t1.r0=2
//   x = 0, y = 0
//   main       | thread 1
//   spawn 1    | r0 = cas y 0 -> 1
//   r1 = y     | r0 = y
//   y = r1 + 1 |
//   join 1     |
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static int x = 0;
static atomic_int y = 0;

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0;
    { int old = 0; atomic_compare_exchange_strong_explicit(&y, &old, 1, memory_order_seq_cst, memory_order_seq_cst); r0 = old; }
    r0 = atomic_load_explicit(&y, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

int main(void)
{
    int r0 = 0, r1 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    r1 = atomic_load_explicit(&y, memory_order_seq_cst);
    atomic_store_explicit(&y, r1 + 1, memory_order_seq_cst);
    pthread_join(handle_1, &result_1);
    int final_x = x;
    int final_y = y;
    int t1_r0 = (uintptr_t)result_1 >> 0 & 255;
    assert(!((final_x == 0 && final_y == 2 && r1 == 1 && t1_r0 == 2)));
    return 0;
}
