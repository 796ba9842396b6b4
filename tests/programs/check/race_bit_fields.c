// expect: data-race line 12|20
// neighbouring bit-fields of one unit are one memory location
#include <pthread.h>

static struct {
    unsigned a : 4;
    unsigned b : 4;
} shared;

static void *worker(void *arg)
{
    shared.a = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    shared.b = 2;
    pthread_join(t, NULL);
    return 0;
}
