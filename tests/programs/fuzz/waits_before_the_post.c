// expect: assertion line 54
// selvedge: --preemptions 1
// found by fuzz explore (bounded-1, seed 13, program 536): thread 2 has to be preempted before the post, so that
// it has to wait for it, which costs nothing
//   x = 0
//   main    | thread 1 | thread 2
//   spawn 1 | x = 1    | x = 0
//   spawn 2 | post s0  | down s0
//   join 1  | r2 = x   | r1 = x += 2
//   join 2  |          |
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x = 0;
static sem_t s0;

static void *thread_2(void *argument)
{
    int r0 = 0, r1 = 0, r2 = 0;
    atomic_store_explicit(&x, 0, memory_order_seq_cst);
    sem_wait(&s0);
    r1 = atomic_fetch_add_explicit(&x, 2, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8 | (uintptr_t)r2 << 16);
}

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0, r2 = 0;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    sem_post(&s0);
    r2 = atomic_load_explicit(&x, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8 | (uintptr_t)r2 << 16);
}

int main(void)
{
    int r0 = 0, r1 = 0, r2 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_t handle_2;
    void *result_2;
    sem_init(&s0, 0, 0);
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    pthread_join(handle_1, &result_1);
    pthread_join(handle_2, &result_2);
    int final_x = x;
    int t1_r2 = (uintptr_t)result_1 >> 16 & 255;
    int t2_r1 = (uintptr_t)result_2 >> 8 & 255;
    assert(!((final_x == 2 && t1_r2 == 0 && t2_r1 == 0)));
    return 0;
}
