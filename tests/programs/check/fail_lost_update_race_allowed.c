// expect: assertion line 21
// selvedge: --allow data-race
// lost update of a plain counter, with the race itself allowed
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg)
{
    counter++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
