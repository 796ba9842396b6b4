// expect: assertion line 10
// selvedge: --allow data-race
// order violation: the address of the loop variable is given to every thread
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg)
{
    int number = *(int *)arg;
    assert(number < 2);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &i);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
