// expect: verified
// an assumption that does not hold in the middle of an atomic section: nobody sees the first half
#include <assert.h>
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
    selvedge_assume(y == 1);
    x = 0;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, section, NULL);
    assert(x == 0);
    y = 1;
    pthread_join(t, NULL);
    return 0;
}
