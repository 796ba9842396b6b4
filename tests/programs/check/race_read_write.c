// expect: data-race line 9|17
// one thread reads, the other writes
#include <pthread.h>

static long value = 1;

static void *reader(void *arg)
{
    long copy = value;
    return copy ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    value = 2;
    pthread_join(t, NULL);
    return 0;
}
