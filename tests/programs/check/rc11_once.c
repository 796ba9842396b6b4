// expect: verified
// selvedge: --model rc11
// what was done once is seen by everybody who asked for it
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 14|21
//   one thread does not ask
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, times;

static void initialise(void) { value = 5, times++; }

static void *worker(void *arg)
{
#ifdef BROKEN
    if (arg)
#endif
        pthread_once(&once, initialise);
    assert(value == 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &a);
    worker(&a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(times == 1);
    return 0;
}
