// expect: data-race line 7|16
// main changes the variable whose address it gave to a thread
#include <pthread.h>

static void *worker(void *arg)
{
    int number = *(int *)arg;
    return number == 0 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    int number = 1;
    pthread_create(&t, NULL, worker, &number);
    number = 2;
    pthread_join(t, NULL);
    return 0;
}
