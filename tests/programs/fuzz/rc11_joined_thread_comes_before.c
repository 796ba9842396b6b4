// expect: verified
// selvedge: --model rc11 --explorer graph
// What a thread does last comes before what is done after it was joined, also in the order of sequentially consistent
// operations: the end of the thread synchronises with the join, not its last operation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y;

static void *thread_1(void *argument)
{
    x = 1;
    return NULL;
}

static void *thread_2(void *argument)
{
    y = 1;
    return (void *)(uintptr_t)x;
}

int main(void)
{
    pthread_t one, two;
    void *saw_x;
    pthread_create(&two, NULL, thread_2, NULL);
    pthread_create(&one, NULL, thread_1, NULL);
    pthread_join(one, NULL);
    int saw_y = y;
    pthread_join(two, &saw_x);
    assert(saw_y || saw_x);
    return 0;
}
