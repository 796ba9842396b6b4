// expect: verified
// C11 threads: create, join with result, mutex
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int x;

static int worker(void *arg)
{
    mtx_lock(&mutex);
    x += *(int *)arg;
    mtx_unlock(&mutex);
    return 5;
}

int main(void)
{
    thrd_t t;
    int amount = 3, result;
    assert(mtx_init(&mutex, mtx_plain) == thrd_success);
    assert(thrd_create(&t, worker, &amount) == thrd_success);
    assert(worker(&amount) == 5);
    assert(thrd_join(t, &result) == thrd_success);
    assert(x == 6 && result == 5);
    mtx_destroy(&mutex);
    return 0;
}
