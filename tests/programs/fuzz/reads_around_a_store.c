// expect: verified
// selvedge: --model tso --explorer graph --keep-going
// executions: 7
// found by fuzz explore: the tool counts 8 executions, the oracle 7
//   x = 0, y = 0, z = 0, w = 0
//   main    | thread 1 | thread 2 | thread 3
//   spawn 1 | x = 0    | y = 0    | r1 = z
//   spawn 2 | y = 0    | z = 0    | w = 0 rel
//   spawn 3 |          |          | r1 = x
//   join 1  |          |          |
//   join 2  |          |          |
//   join 3  |          |          |
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x = 0;
static atomic_int y = 0;
static atomic_int z = 0;
static atomic_int w = 0;

static void *thread_3(void *argument)
{
    int r0 = 0, r1 = 0;
    r1 = atomic_load_explicit(&z, memory_order_seq_cst);
    atomic_store_explicit(&w, 0, memory_order_release);
    r1 = atomic_load_explicit(&x, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_2(void *argument)
{
    int r0 = 0, r1 = 0;
    atomic_store_explicit(&y, 0, memory_order_seq_cst);
    atomic_store_explicit(&z, 0, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0;
    atomic_store_explicit(&x, 0, memory_order_seq_cst);
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
    pthread_t handle_3;
    void *result_3;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    pthread_create(&handle_3, NULL, thread_3, NULL);
    pthread_join(handle_1, &result_1);
    pthread_join(handle_2, &result_2);
    pthread_join(handle_3, &result_3);
    int final_x = x;
    int final_y = y;
    int final_z = z;
    int final_w = w;
    int t3_r1 = (uintptr_t)result_3 >> 8 & 255;
    printf("outcome x=%d y=%d z=%d w=%d t3.r1=%d\n", final_x, final_y, final_z, final_w, t3_r1);
    return 0;
}
