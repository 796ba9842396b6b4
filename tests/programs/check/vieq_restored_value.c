// expect: verified
// executions: 4
// selvedge: --model sc --explorer vieq
// a write that changes nothing when it could come first matters later: 1 and then 0 is read only if it waits
// also: --model sc --explorer vieq -- -DBROKEN => assertion line 28
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *zero(void *arg)
{
    x = 0;
    return arg;
}

static void *one(void *arg)
{
    x = 1;
    return arg;
}

static void look(int first, int second)
{
#ifdef BROKEN
    assert(!(first == 1 && second == 0));
#endif
    (void)first, (void)second;
}

static void *reader(void *arg)
{
    int first = x, second = x;
    look(first, second);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, zero, NULL);
    pthread_create(&threads[1], NULL, one, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
