// expect: verified
// selvedge: --explorer optimal
// executions: 50
// a section with a choice that others depend on in one alternative only: each order and choice once
// also: --explorer source => verified
// also: --explorer classic => verified
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *chooser(void *arg)
{
    __VERIFIER_atomic_begin();
    if (selvedge_choose(2))
        x = 1;
    if (selvedge_choose(2))
        y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *writer(void *arg)
{
    x = 2;
    y = 2;
    return arg;
}

int main(void)
{
    pthread_t one, two, three;

    pthread_create(&one, NULL, chooser, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_create(&three, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
