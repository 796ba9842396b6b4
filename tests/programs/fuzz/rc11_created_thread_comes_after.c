// expect: verified
// selvedge: --model rc11 --explorer graph
// found by fuzz explore: the tool has found an outcome that does not exist
//   x = 0, y = 0
//   main    | thread 1 | thread 2
//   spawn 1 | x = 1    | r1 = x
//   y = 1   | r0 = y   |
//   spawn 2 |          |
//   join 1  |          |
//   join 2  |          |
// What main does before it creates a thread comes before what the thread does first, also in the order of sequentially
// consistent operations: the creation synchronises with the beginning of the thread, not with its first operation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y;

static void *thread_1(void *argument)
{
    x = 1;
    return (void *)(uintptr_t)y;
}

static void *thread_2(void *argument)
{
    return (void *)(uintptr_t)x;
}

int main(void)
{
    pthread_t one, two;
    void *saw_y, *saw_x;
    pthread_create(&one, NULL, thread_1, NULL);
    y = 1;
    pthread_create(&two, NULL, thread_2, NULL);
    pthread_join(one, &saw_y);
    pthread_join(two, &saw_x);
    assert(saw_y || saw_x);
    return 0;
}
