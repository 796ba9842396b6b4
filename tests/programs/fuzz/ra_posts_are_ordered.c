// expect: verified
// selvedge: --model ra --explorer graph --keep-going
// executions: 5
// posts of a semaphore are updates of it, so the second comes after the first under release-acquire:
//   x = 0
//   main    | thread 1 | thread 2
//   spawn 1 | post s0  | post s0
//   spawn 2 | x = 0    | x = 0
//   join 1  |          | down s0
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
    sem_post(&s0);
    atomic_store_explicit(&x, 0, memory_order_seq_cst);
    sem_wait(&s0);
    return argument;
}

static void *thread_1(void *argument)
{
    sem_post(&s0);
    atomic_store_explicit(&x, 0, memory_order_seq_cst);
    return argument;
}

int main(void)
{
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
    printf("outcome x=%d\n", final_x);
    return 0;
}
