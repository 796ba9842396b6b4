// expect: verified
// selvedge: --model rc11
// the interfaces of threads.h order plain accesses, too
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 27|48
//   the data is written after the mutex was given back
// also: --model rc11 -- -DLOST => deadlock line 26
//   nobody signals
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t mutex;
static cnd_t changed;
static int ready, data;
static thread_local int mine;

static void initialise(void) { mtx_init(&mutex, mtx_plain), cnd_init(&changed); }

static int waiter(void *arg)
{
    call_once(&once, initialise);
    mine = 3;
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&changed, &mutex);
    assert(data == 1);
    mtx_unlock(&mutex);
    return mine + (arg != NULL);
}

int main(void)
{
    thrd_t t;
    int result;
    thrd_create(&t, waiter, &result);
    call_once(&once, initialise);
    mtx_lock(&mutex);
#ifndef BROKEN
    data = 1;
#endif
    ready = 1;
#ifndef LOST
    cnd_signal(&changed);
#endif
    mtx_unlock(&mutex);
#ifdef BROKEN
    data = 1;
#endif
    thrd_join(t, &result);
    assert(result == 4 && mine == 0);
    mtx_destroy(&mutex);
    cnd_destroy(&changed);
    return 0;
}
