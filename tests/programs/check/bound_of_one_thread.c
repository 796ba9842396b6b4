// expect: assertion line 33
// selvedge: --max-steps 30
// a thread that comes to the bound stops; the others go on, and what they do is tried in all orders
// also: --max-steps 30 --explorer optimal => assertion line 33
// also: --max-steps 30 --explorer source => assertion line 33
// also: --max-steps 30 --explorer classic => assertion line 33
// also: --max-steps 8 --explorer exhaustive => assertion line 33
// also: --max-steps 30 --explorer vieq => assertion line 33
// also: --max-steps 30 --explorer mcr => assertion line 33
// also: --max-steps 30 --explorer se-mcr => assertion line 33
// also: --max-steps 30 --model tso => assertion line 33
// also: --max-steps 30 --model rc11 => assertion line 33
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, spins, data;

static void *thread(void *arg)
{
    ready = 1;
    data = 1;
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, thread, NULL);
    while (!ready)
        atomic_fetch_add(&spins, 1);
    assert(data == 1);
    return 0;
}
