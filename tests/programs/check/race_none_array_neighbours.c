// expect: verified
// each thread has its own element of an array
#include <assert.h>
#include <pthread.h>

static char cells[2];

static void *worker(void *arg)
{
    *(char *)arg += 5;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, &cells[0]);
    pthread_create(&two, NULL, worker, &cells[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(cells[0] == 5 && cells[1] == 5);
    return 0;
}
