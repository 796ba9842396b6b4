// expect: verified
// C11 threads: mtx_trylock, a recursive mutex, a timed one
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t recursive, timed;
static int x;

static int worker(void *arg)
{
    struct timespec past = {0, 0};
    mtx_lock(&recursive);
    assert(mtx_trylock(&recursive) == thrd_success);
    x++;
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    assert(mtx_timedlock(&timed, &past) == thrd_timedout);
    assert(mtx_trylock(&timed) == thrd_busy);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    mtx_lock(&timed);
    thrd_create(&t, worker, NULL);
    mtx_lock(&recursive);
    x++;
    mtx_unlock(&recursive);
    thrd_join(t, NULL);
    assert(x == 2);
    return 0;
}
