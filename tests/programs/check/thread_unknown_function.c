// expect: unsupported line 9
// a thread calls a function that nobody defines
#include <pthread.h>

int mystery(int number);

static void *worker(void *arg)
{
    mystery(3);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
