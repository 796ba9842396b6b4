// expect: data-race line 9|17
// volatile does not make a flag atomic
#include <pthread.h>

static volatile int flag;

static void *setter(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    int seen = flag;
    pthread_join(t, NULL);
    return seen > 1;
}
