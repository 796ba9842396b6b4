// expect: verified
// selvedge: --model tso --release-sequences c11 --explorer optimal --workers 1 --allow data-race --keep-going
// executions: 12
// found by fuzz explore: the tool counts 11 executions, the oracle 12
//   x = 0, y = 0
//   main          | thread 1
//   spawn 1       | x = 0 rlx
//   y = 0 plain   | x = 0 rlx
//   r1 = x        | r1 = y plain
//   r0 = choose 2 |
//   join 1        |
// The choice is planned with its second alternative, between two stores to x and before thread 1 reads y. That everything which begins with
// the store to y has been explored does not cover the first alternative: thread 1's read, which comes before it here, conflicts with it.
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x = 0;
static int y = 0;

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0;
    atomic_store_explicit(&x, 0, memory_order_relaxed);
    atomic_store_explicit(&x, 0, memory_order_relaxed);
    r1 = y;
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

int main(void)
{
    int r0 = 0, r1 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    y = 0;
    r1 = atomic_load_explicit(&x, memory_order_seq_cst);
    r0 = selvedge_choose(2);
    pthread_join(handle_1, &result_1);
    int final_x = x;
    int final_y = y;
    int t1_r1 = (uintptr_t)result_1 >> 8 & 255;
    printf("outcome x=%d y=%d t0.r0=%d t0.r1=%d t1.r1=%d\n", final_x, final_y, r0, r1, t1_r1);
    return 0;
}
