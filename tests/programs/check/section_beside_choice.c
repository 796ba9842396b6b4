// expect: verified
// selvedge: --explorer optimal
// executions: 10
// a choice in one thread and an atomic section in another: what is asleep must not hide an alternative
// also: --explorer source => verified
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *section(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    int seen = y;
    __VERIFIER_atomic_end();
    (void)seen;
    return arg;
}

static void *chooser(void *arg)
{
    if (y == 0 && selvedge_choose(2))
        y = 2;
    return arg;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, section, NULL);
    pthread_create(&two, NULL, chooser, NULL);
    y = 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
