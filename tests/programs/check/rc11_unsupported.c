// expect: unsupported line 25
// selvedge: --model rc11
// what execution graphs do not have
// flags: -DSECTION
// also: --model rc11 -- -DSIZES => unsupported line 30
// also: --model ra -- -DBYTES => unsupported line 34
// also: --model sc --explorer graph -- -DSIZES => unsupported line 30
// also: --model sc -- -DSECTION => verified
// also: --model sc -- -DBYTES => verified
// also: --model sc -- -DSIZES => verified
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;
static union { atomic_short half; atomic_int whole; } both;

static void *worker(void *arg)
{
#ifdef SECTION
    __VERIFIER_atomic_begin();
    atomic_store(&x, 1);
    __VERIFIER_atomic_end();
#endif
#ifdef SIZES
    atomic_store(&both.whole, 1);
    atomic_store(&both.half, 1);
#endif
#ifdef BYTES
    ((char *)&x)[1] = 1;
    atomic_store(&x, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
