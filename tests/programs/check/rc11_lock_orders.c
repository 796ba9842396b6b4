// expect: assertion line 61
// selvedge: --model rc11
// three mutexes: every order in which threads can have had them first is explored
// also: --model sc --explorer graph => assertion line 61
// also: --model sc => assertion line 61
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static int first_a, first_b, first_c; /* who had it first */

static void first(int *variable, int me)
{
    if (!*variable)
        *variable = me;
}

static void *one(void *arg)
{
    pthread_mutex_lock(&a);
    first(&first_a, 1);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    first(&first_b, 1);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *two(void *arg)
{
    pthread_mutex_lock(&b);
    first(&first_b, 2);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&c);
    first(&first_c, 2);
    pthread_mutex_unlock(&c);
    return arg;
}

static void *three(void *arg)
{
    pthread_mutex_lock(&a);
    first(&first_a, 3);
    pthread_mutex_lock(&c);
    first(&first_c, 3);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    pthread_t x, y, z;
    pthread_create(&x, NULL, one, NULL);
    pthread_create(&y, NULL, two, NULL);
    pthread_create(&z, NULL, three, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    pthread_join(z, NULL);
    assert(!(first_a == 3 && first_b == 1 && first_c == 3));
    return 0;
}
