// expect: verified
// C11 threads: thrd_yield, thrd_sleep, thrd_current, thrd_equal, thrd_detach
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static atomic_int done;
static thrd_t main_thread;

static int worker(void *arg)
{
    struct timespec moment = {0, 1000};
    assert(!thrd_equal(thrd_current(), main_thread));
    thrd_sleep(&moment, NULL);
    atomic_store(&done, 1);
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    main_thread = thrd_current();
    thrd_create(&t, worker, NULL);
    thrd_detach(t);
    while (!atomic_load(&done))
        thrd_yield();
    return 0;
}
