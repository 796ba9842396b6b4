// expect: verified
// selvedge: --model rc11
// a barrier that counts, and whose last one turns the sense round; used twice
// also: --model rc11 -- -DCOUNT=memory_order_release => data-race line 40|38
//   the last one does not know what the others have done
// also: --model rc11 -- -DSENSE=memory_order_relaxed => data-race line 40|38
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef COUNT
#define COUNT memory_order_acq_rel
#endif
#ifndef SENSE
#define SENSE memory_order_release
#endif

enum { N = 2 };

static atomic_int count, sense;
static int a[N];

static void wait_for_all(int round)
{
    if (atomic_fetch_add_explicit(&count, 1, COUNT) == N - 1) {
        atomic_store_explicit(&count, 0, memory_order_relaxed);
        atomic_store_explicit(&sense, round, SENSE);
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != round) {
        }
    }
}

static void *worker(void *arg)
{
    int me = arg != NULL;
    a[me] = 1;
    wait_for_all(1);
    assert(a[1 - me] == 1);
    wait_for_all(2);
    a[1 - me] = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &t);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
