// expect: dead-stack line 7
// a thread gets the address of a local variable whose function returns
#include <pthread.h>

static void *worker(void *arg)
{
    return *(int *)arg ? arg : NULL;
}

static pthread_t start(void)
{
    pthread_t t;
    int local = 1;
    pthread_create(&t, NULL, worker, &local);
    return t;
}

int main(void)
{
    pthread_join(start(), NULL);
    return 0;
}
