// expect: verified
// bit-fields with a zero-width one between them are different memory locations
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned char a : 4;
    unsigned char : 0;
    unsigned char b : 4;
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
    assert(shared.a == 1 && shared.b == 2);
    return 0;
}
