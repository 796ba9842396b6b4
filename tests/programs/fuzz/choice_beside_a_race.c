// expect: verified
// selvedge: --explorer optimal --allow data-race --keep-going
// executions: 4
// found by fuzz explore: the tool counts 3 executions, the oracle 4
//   x = 0
//   main        | thread 1     | thread 2
//   spawn 1     | r1 = x plain | r2 = choose 2
//   spawn 2     |              |
//   x = 0 plain |              |
//   join 2      |              |
//   join 1      |              |
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static int x = 0;

static void *thread_2(void *argument)
{
    int r0 = 0, r1 = 0, r2 = 0;
    r2 = selvedge_choose(2);
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8 | (uintptr_t)r2 << 16);
}

static void *thread_1(void *argument)
{
    int r0 = 0, r1 = 0, r2 = 0;
    r1 = x;
    return (void *)((uintptr_t)r0 << 0 | (uintptr_t)r1 << 8 | (uintptr_t)r2 << 16);
}

int main(void)
{
    int r0 = 0, r1 = 0, r2 = 0;
    pthread_t handle_2;
    void *result_2;
    pthread_t handle_1;
    void *result_1;
    pthread_create(&handle_1, NULL, thread_1, NULL);
    pthread_create(&handle_2, NULL, thread_2, NULL);
    x = 0;
    pthread_join(handle_2, &result_2);
    pthread_join(handle_1, &result_1);
    int final_x = x;
    int t2_r2 = (uintptr_t)result_2 >> 16 & 255;
    int t1_r1 = (uintptr_t)result_1 >> 8 & 255;
    printf("outcome x=%d t1.r1=%d t2.r2=%d\n", final_x, t1_r1, t2_r2);
    return 0;
}
