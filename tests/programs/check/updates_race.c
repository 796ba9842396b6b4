// expect: data-race line 26
// also: --model tso => data-race line 26
// also: --model pso => data-race line 26
// also: --explorer source => data-race line 26
// also: --explorer exhaustive => data-race line 26
// also: --explorer graph => data-race line 26
// also: --model rc11 => data-race line 26
// The first addition synchronises with the second one only if it comes first. Nobody can tell their order, so one order is explored,
// and the race is found in it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int x;

static void *writer(void *arg)
{
    x = 1;
    atomic_fetch_add(&counter, 1);
    return arg;
}

static void *reader(void *arg)
{
    atomic_fetch_add(&counter, 1);
    return (void *)(long)x;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
