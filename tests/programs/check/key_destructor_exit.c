// expect: verified
// selvedge: --check leak
// destructors of thread-specific data run after pthread_exit, too, and free what malloc gave
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg)
{
    int *number = malloc(sizeof *number);
    *number = 1;
    pthread_setspecific(key, number);
    assert(*(int *)pthread_getspecific(key) == 1);
    pthread_exit(arg);
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&key, free);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
