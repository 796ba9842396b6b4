// expect: data-race line 9|17
// the address of main's thread-local variable is given to another thread
#include <pthread.h>

static _Thread_local int own;

static void *worker(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &own);
    own = 2;
    pthread_join(t, NULL);
    return 0;
}
