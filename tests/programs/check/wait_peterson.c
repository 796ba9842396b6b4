// expect: verified
// Peterson's algorithm, one round each: the loop reads two variables
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int x;

static void *worker(void *arg)
{
    int me = arg != NULL;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, 1 - me);
    while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
    x++;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &x);
    worker(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
