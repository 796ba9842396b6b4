// expect: verified
// selvedge: --model rc11
// a spin lock orders plain accesses
// also: --model sc --explorer graph => verified
// also: --model rc11 -- -DBROKEN => data-race line 23
//   the lock is given back too early
// also: --model rc11 -- -DTWICE => relock line 19
//   who has it cannot take it
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int x;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock);
#ifdef TWICE
    pthread_spin_lock(&lock);
#endif
#ifdef BROKEN
    pthread_spin_unlock(&lock);
    x++;
#else
    x++;
    pthread_spin_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    if (pthread_spin_trylock(&lock) == 0) {
        x += 10;
        pthread_spin_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 || x == 12);
    return 0;
}
