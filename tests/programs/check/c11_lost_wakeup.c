// expect: deadlock line 11|23
// C11 threads: a signal nobody waits for yet
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;

static int waiter(void *arg)
{
    mtx_lock(&mutex);
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
    cnd_signal(&changed);
    thrd_join(t, NULL);
    return 0;
}
