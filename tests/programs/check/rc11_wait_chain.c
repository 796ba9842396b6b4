// expect: verified
// selvedge: --model rc11
// executions: 1
// each thread waits for the one before it; what the first wrote reaches the last
// also: --model rc11 -- -DRELAXED => data-race line 38|23
//   one link does not hand over
// also: --model rc11 -- -DCIRCLE => livelock line 26|30
//   the first waits for the last
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 4 };

static atomic_int reached[N];
static int data;

static void *worker(void *arg)
{
    int me = (int)(long)arg;
    if (me == 1)
        data = 1;
#ifdef CIRCLE
    if (me == 1)
        while (!atomic_load_explicit(&reached[N - 1], memory_order_acquire)) {
        }
#endif
    if (me > 1)
        while (!atomic_load_explicit(&reached[me - 1], memory_order_acquire)) {
        }
#ifdef RELAXED
    atomic_store_explicit(&reached[me], 1, me == 2 ? memory_order_relaxed : memory_order_release);
#else
    atomic_store_explicit(&reached[me], 1, memory_order_release);
#endif
    if (me == N - 1)
        assert(data == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 1; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 1; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
