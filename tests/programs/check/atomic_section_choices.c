// expect: verified
// executions: 6
// several choices in one atomic section: all combinations, each once
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    __VERIFIER_atomic_begin();
    x = 1;
    int a = selvedge_choose(3);
    int b = selvedge_choose(2);
    x = a + b;
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
