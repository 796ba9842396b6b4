// expect: verified
// selvedge: --explorer optimal
// executions: 4
// also: --model tso => verified
// also: --model pso => verified
// also: --model rc11 => verified
// Two additions whose results nobody uses, and a reader: it comes before both, after one of the two, or after both. In which
// order they come makes no difference otherwise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *one(void *arg)
{
    counter++;
    return arg;
}

static void *other(void *arg)
{
    counter += 2;
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    int seen = counter;
    assert(seen >= 0 && seen <= 3);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 3);
    return 0;
}
