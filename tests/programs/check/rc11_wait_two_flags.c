// expect: verified
// selvedge: --model rc11
// waiting until two others are done, in one loop that looks at both
// also: --model rc11 -- -DONE => livelock line 39|38
//   one of them never is
// also: --model rc11 -- -DEITHER => data-race line 41
//   one of them may not be: then what it writes is read too early
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef EITHER
#define BOTH(a, b) ((a) | (b))
#else
#define BOTH(a, b) ((a) & (b))
#endif

static atomic_int done[2];
static int data[2];

static void *worker(void *arg)
{
    int me = arg != NULL;
    data[me] = 1;
#ifdef ONE
    if (me)
#endif
        atomic_store_explicit(&done[me], 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &a);
    while (!BOTH(atomic_load_explicit(&done[0], memory_order_acquire),
                 atomic_load_explicit(&done[1], memory_order_acquire))) {
    }
    assert(data[0] + data[1] == 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
