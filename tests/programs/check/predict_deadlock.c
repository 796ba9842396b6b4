// selvedge: --explorer mcr --predict --max-executions 1
// expect: deadlock line 23
// three locks in a circle; the first execution takes them one after the other
// also: --explorer se-mcr --predict => deadlock line 23
// also: --explorer mcr --predict -- -DORDERED => verified
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *both(void *arg)
{
    long one = (long)arg, other = (one + 1) % 3;
#ifdef ORDERED
    if (other < one) {
        long swapped = one;
        one = other;
        other = swapped;
    }
#endif
    pthread_mutex_lock(&locks[one]);
    pthread_mutex_lock(&locks[other]);
    pthread_mutex_unlock(&locks[other]);
    pthread_mutex_unlock(&locks[one]);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, both, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
