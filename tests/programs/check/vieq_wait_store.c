// selvedge: --explorer vieq
// expect: verified
// executions: 8
// whether a round of a waiting loop was in vain depends on what its store has found, which its thread is not told
// also: --explorer se-mcr => verified
// also: --explorer se-mcr --patience 0 => verified
// also: --explorer mcr => verified
// also: --explorer optimal => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int f, g;

static void *ends(void *arg)
{
    g = 0;
    if (g == 1 && !f)
        f = 2;
    else
        f = 1;
    return arg;
}

static void *waits(void *arg)
{
    do
        g = 1;
    while (!f);
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, ends, NULL);
    pthread_create(&other, NULL, waits, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
