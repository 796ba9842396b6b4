// expect: assertion line 42
// selvedge: --model rc11
// two mutexes that have nothing to do with each other, in every order
// also: --model sc --explorer graph => assertion line 42
// also: --model sc => assertion line 42
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int first_a, first_b; /* who had it first */

static void first(pthread_mutex_t *mutex, int *variable, int me)
{
    pthread_mutex_lock(mutex);
    if (!*variable)
        *variable = me;
    pthread_mutex_unlock(mutex);
}

static void *one(void *arg)
{
    first(&a, &first_a, 1);
    first(&b, &first_b, 1);
    return arg;
}

static void *two(void *arg)
{
    first(&b, &first_b, 2);
    first(&a, &first_a, 2);
    return arg;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, two, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    assert(!(first_a == 2 && first_b == 2));
    return 0;
}
