// expect: verified
// selvedge: --model rc11
// threads.h: locks and waits that may end without success
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 23
//   the result is not looked at
#include <assert.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static int x;

static int worker(void *arg)
{
    struct timespec later;
    timespec_get(&later, TIME_UTC);
    later.tv_sec += 1;
    int result = arg ? mtx_trylock(&mutex) : mtx_timedlock(&mutex, &later);
    assert(result == thrd_success || result == (arg ? thrd_busy : thrd_timedout));
#ifdef BROKEN
    x++;
#else
    if (result == thrd_success)
        x++;
#endif
    if (result == thrd_success)
        mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&mutex, mtx_timed);
    thrd_create(&a, worker, NULL);
    thrd_create(&b, worker, &a);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
