// expect: verified
// selvedge: --model tso --explorer graph
// found by fuzz explore: the tool has found an outcome that does not exist
//   x = 0, y = 0, z = 0, w = 0
//   main    | thread 1 | thread 2  | thread 3 | thread 4
//   spawn 1 | x = 0    | w = 0 rlx | z = 1    | r0 = w
//   spawn 3 | spawn 2  | r1 = z    | w = 1    | x = 1
//   spawn 4 | join 2   |           |          |
//   join 1  |          |           |          |
//   join 4  |          |           |          |
//   join 3  |          |           |          |
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x = 0;
static int y = 0;
static atomic_int z = 0;
static atomic_int w = 0;

static void *thread_4(void *argument)
{
    int r0 = 0, r1 = 0;
    r0 = atomic_load_explicit(&w, memory_order_seq_cst);
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_3(void *argument)
{
    int r0 = 0, r1 = 0;
    atomic_store_explicit(&z, 1, memory_order_seq_cst);
    atomic_store_explicit(&w, 1, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_2(void *argument)
{
    int r0 = 0, r1 = 0;
    atomic_store_explicit(&w, 0, memory_order_relaxed);
    r1 = atomic_load_explicit(&z, memory_order_seq_cst);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8);
}

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0;
    pthread_t handle_2;
    void *result_2;
    atomic_store_explicit(&x, 0, memory_order_seq_cst);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    pthread_join(handle_2, &result_2);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8 | (uintptr_t)result_2 << 16);
}

int main(void)
{
    int r0 = 0, r1 = 0;
    pthread_t handle_1;
    void *result_1;
    pthread_t handle_4;
    void *result_4;
    pthread_t handle_3;
    void *result_3;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_3, NULL, thread_3, NULL);
    pthread_create(&handle_4, NULL, thread_4, NULL);
    pthread_join(handle_1, &result_1);
    pthread_join(handle_4, &result_4);
    pthread_join(handle_3, &result_3);
    int final_x = x;
    int final_y = y;
    int final_z = z;
    int final_w = w;
    int t2_r1 = (uintptr_t)result_1 >> 24 & 255;
    int t4_r0 = (uintptr_t)result_4 >> 0 & 255;
    assert((final_x == 0 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 0 && t4_r0 == 0) || (final_x == 0 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 1 && t4_r0 == 0) || (final_x == 0 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 1 && t4_r0 == 1) || (final_x == 0 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 0 && t4_r0 == 0) || (final_x == 0 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 1 && t4_r0 == 0) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 0 && t4_r0 == 0) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 0 && t4_r0 == 1) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 1 && t4_r0 == 0) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 0 && t2_r1 == 1 && t4_r0 == 1) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 0 && t4_r0 == 0) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 0 && t4_r0 == 1) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 1 && t4_r0 == 0) || (final_x == 1 && final_y == 0 && final_z == 1 && final_w == 1 && t2_r1 == 1 && t4_r0 == 1));
    return 0;
}
