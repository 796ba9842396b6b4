// expect: verified
// C11 threads: call_once, thread-specific storage with a destructor, thrd_exit
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int calls, destroyed;

static void destructor(void *value)
{
    *(int *)value = 1;
}

static void init(void)
{
    calls++;
    tss_create(&key, destructor);
}

static int worker(void *arg)
{
    call_once(&once, init);
    assert(tss_get(key) == NULL);
    tss_set(key, &destroyed);
    thrd_exit(arg != NULL);
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, NULL);
    call_once(&once, init);
    thrd_join(t, NULL);
    assert(calls == 1 && destroyed == 1);
    tss_delete(key);
    return 0;
}
