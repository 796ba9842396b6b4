// selvedge: --explorer se-mcr
// expect: verified
// executions: 8
// three reads that have nothing to do with each other: their seeds go together in any order, and each combination is run once
// also: --explorer mcr --workers 1 => verified
// also: --explorer se-mcr --model tso => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x[3];

static void *reader(void *arg)
{
    (void)atomic_load((atomic_int *)arg);
    return NULL;
}
static void *writer(void *arg)
{
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}
int main(void)
{
    pthread_t threads[6];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[2 * i], NULL, reader, &x[i]);
        pthread_create(&threads[2 * i + 1], NULL, writer, &x[i]);
    }
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
}
