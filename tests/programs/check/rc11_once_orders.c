// expect: assertion line 41
// selvedge: --model rc11
// who performs a once-only action, and what the other has seen before
// also: --model sc --explorer graph => assertion line 41
// also: --model sc => assertion line 41
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int x;
static int seen, by;
static _Thread_local int me;

static void initialise(void) { by = me; }

static void *one(void *arg)
{
    me = 1;
    seen = atomic_fetch_add(&x, 1);
    pthread_once(&once, initialise);
    return arg;
}

static void *two(void *arg)
{
    me = 2;
    pthread_once(&once, initialise);
    atomic_store(&x, 5);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(seen == 5 && by == 2));
    return 0;
}
