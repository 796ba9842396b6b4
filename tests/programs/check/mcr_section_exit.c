// selvedge: --explorer mcr
// expect: assertion line 30
// a thread that ends in an atomic section is through with it
// also: --explorer se-mcr --patience 0 => assertion line 30
// also: --explorer se-mcr => assertion line 30
// also: --explorer vieq => assertion line 30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *section(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_exit(arg);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, section, NULL);
    assert(x != 1);
    return 0;
}
