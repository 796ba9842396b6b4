// selvedge: --explorer mcr --workers 1
// expect: assertion line 40
// for `c` to be 1 it does not matter whose store it sees, but for what else is possible then it does
// also: --explorer se-mcr => assertion line 40
// also: --explorer mcr --model tso => assertion line 40
// also: --explorer se-mcr --model pso => assertion line 40
// also: --explorer optimal => assertion line 40
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int a, c;

static void *one(void *arg)
{
    a = atomic_load(&y);
    atomic_store(&x, 1);
    return arg;
}
static void *another(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}
static void *third(void *arg)
{
    c = atomic_load(&x);
    atomic_store(&y, 1);
    return arg;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, third, NULL);
    pthread_create(&threads[2], NULL, another, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(!(a == 1 && c == 1));
}
