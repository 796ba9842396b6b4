// expect: assertion line 67
// selvedge: --explorer optimal --workers 1 --allow deadlock
// found by fuzz explore: the tool has not found: outcome x=1 t0.r0=1 t2.r0=1
//   x = 0
//   main    | thread 1 | thread 2        | thread 3
//   spawn 1 | x = 1    | r0 = trylock m0 | lock m0
//   spawn 2 |          | if r0 == 0      | unlock m0
//   spawn 3 |          |   x = 0         |
//   r0 = x  |          |                 |
//   join 1  |          |                 |
//   join 2  |          |                 |
//   join 3  |          |                 |
// That the lock is taken before the trylock was looked at once only, in an execution where thread 1 stores to x after the read of main, which
// had been explored before everything else. So it counted as explored; where thread 1 stores before the read, it was not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x = 0;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER;

static void *thread_3(void *argument)
{
    int r0 = 0;
    pthread_mutex_lock(&m0);
    pthread_mutex_unlock(&m0);
    return (void *)((uintptr_t)r0 << 0);
}

static void *thread_2(void *argument)
{
    int r0 = 0;
    r0 = pthread_mutex_trylock(&m0) != 0;
    if (r0 == 0) {
        atomic_store_explicit(&x, 0, memory_order_seq_cst);
    }
    return (void *)((uintptr_t)r0 << 0);
}

static void *thread_1(void *argument)
{
    int r0 = 0;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0);
}

int main(void)
{
    int r0 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_t handle_2;
    void *result_2;
    pthread_t handle_3;
    void *result_3;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    pthread_create(&handle_3, NULL, thread_3, NULL);
    r0 = atomic_load_explicit(&x, memory_order_seq_cst);
    pthread_join(handle_1, &result_1);
    pthread_join(handle_2, &result_2);
    pthread_join(handle_3, &result_3);
    int final_x = x;
    int t2_r0 = (uintptr_t)result_2 >> 0 & 255;
    assert(!((final_x == 1 && r0 == 1 && t2_r0 == 1)));
    return 0;
}
