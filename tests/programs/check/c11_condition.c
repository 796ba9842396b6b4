// expect: verified
// C11 threads: condition variable
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int ready;

static int waiter(void *arg)
{
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&changed, &mutex);
    mtx_unlock(&mutex);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, waiter, NULL);
    mtx_lock(&mutex);
    ready = 1;
    assert(cnd_broadcast(&changed) == thrd_success);
    mtx_unlock(&mutex);
    thrd_join(t, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    return 0;
}
