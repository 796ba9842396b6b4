// selvedge: --explorer vieq
// expect: verified
// nobody sees half of an atomic section that is not got through, whatever the reason
// also: --explorer se-mcr => verified
// also: --explorer se-mcr --patience 0 => verified
// also: --explorer mcr => verified
// also: --explorer vieq --keep-going -- -DFAILS => assertion line 28
// also: --explorer mcr --keep-going -- -DFAILS => assertion line 28
// also: --explorer vieq --unroll 2 -- -DROUNDS => bounded
// also: --explorer mcr --unroll 2 -- -DROUNDS => bounded
#include <assert.h>
#include <pthread.h>
#include <selvedge.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

void __VERIFIER_atomic_section(void)
{
    x = 1;
#ifdef ROUNDS
    for (int i = 0; i < 3; i++)
        y++;
#endif
#ifdef FAILS
    // The only failure, also with --keep-going.
    assert(y == 1);
#else
    selvedge_assume(y == 3);
#endif
    x = 0;
}

static void *looks(void *arg)
{
    assert(x == 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, looks, NULL);
    __VERIFIER_atomic_section();
    return 0;
}
