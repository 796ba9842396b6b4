// expect: bounded
// selvedge: --unroll 3
// a waiting loop that counts its rounds has no end of its own: bounded
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static unsigned rounds;

static void *setter(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!atomic_load(&flag))
        rounds++;
    pthread_join(t, NULL);
    return 0;
}
