// expect: data-race line 9
// two threads store the same value: still a race
#include <pthread.h>

static int value;

static void *writer(void *arg)
{
    value = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    writer(NULL);
    pthread_join(t, NULL);
    return 0;
}
