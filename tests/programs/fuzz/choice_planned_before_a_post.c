// expect: deadlock line 29|40|56|57
// selvedge: --explorer optimal --workers 1 --keep-going
// executions: 5
// found by fuzz explore: 1 explorations were redundant
//   x = 0, y = 0
//   main    | thread 1 | thread 2
//   spawn 1 | down s0  | post s0
//   spawn 2 | y = 0    | down s0
//   r1 = y  |          | r1 = choose 2
//   join 1  |          | if r1 != 0
//   join 2  |          |   post s0
// The choice is planned with its second alternative, before the store to y. That store comes only after the second post, which is not there
// in the first alternative, so the alternative needs no branch of its own: what begins with the read of main has it.
#include <pthread.h>
#include <semaphore.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static int x = 0;
static atomic_int y = 0;
static sem_t s0;

static void *thread_2(void *argument)
{
    int r0 = 0, r1 = 0;
    sem_post(&s0);
    sem_wait(&s0);
    r1 = selvedge_choose(2);
    if (r1 != 0) {
        sem_post(&s0);
    }
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0;
    sem_wait(&s0);
    atomic_store_explicit(&y, 0, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

int main(void)
{
    int r0 = 0, r1 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_t handle_2;
    void *result_2;
    sem_init(&s0, 0, 0);
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    r1 = atomic_load_explicit(&y, memory_order_seq_cst);
    pthread_join(handle_1, &result_1);
    pthread_join(handle_2, &result_2);
    int final_x = x;
    int final_y = y;
    int t2_r1 = (uintptr_t)result_2 >> 8 & 255;
    printf("outcome x=%d y=%d t0.r1=%d t2.r1=%d\n", final_x, final_y, r1, t2_r1);
    return 0;
}
