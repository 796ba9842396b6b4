// expect: data-race line 9|17
// a waiting loop that reads a plain variable
#include <pthread.h>

static int flag;

static void *setter(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!*(volatile int *)&flag) {
    }
    pthread_join(t, NULL);
    return 0;
}
