// expect: verified
// selvedge: --explorer exhaustive
// executions: 44
// three threads with one operation each, main: three creates, then three joins in order (counted by enumeration)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_create(&three, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    assert(x == 3);
    return 0;
}
