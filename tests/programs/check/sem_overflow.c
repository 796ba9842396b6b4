// expect: verified
// also: --model rc11 => verified
// also: --model tso => verified
// also: -- -DFIRST => assertion line 34
// also: --model rc11 -- -DFIRST => assertion line 34
// also: -- -DSECOND => assertion line 36
// also: --model rc11 -- -DSECOND => assertion line 36
// a semaphore that has as many posts as it can have takes no more: only one of two fits
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *failed)
{
    *(int *)failed = sem_post(&semaphore) != 0 && errno == EOVERFLOW;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int failed[2];
    assert(sem_init(&semaphore, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&semaphore, 0, INT_MAX - 1) == 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, post, &failed[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    int value;
    sem_getvalue(&semaphore, &value);
#ifdef FIRST
    assert(!failed[0]);
#elif defined SECOND
    assert(!failed[1]);
#else
    assert(failed[0] + failed[1] == 1 && value == INT_MAX);
#endif
    return 0;
}
