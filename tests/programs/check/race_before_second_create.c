// expect: data-race line 9|22
// main's access comes before the second thread is created, but after the first
#include <pthread.h>

static int x;

static void *writer(void *arg)
{
    x = 1;
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    int seen = x;
    pthread_create(&two, NULL, idle, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return seen > 1;
}
