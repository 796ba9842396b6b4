// Peterson's algorithm: mutual exclusion of two threads with nothing but loads and stores.
//
// It relies on sequential consistency: with weaker memory orders both threads could miss each other's
// announcement. The waiting loops have no bound; that is no obstacle to a proof.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2]; // thread i wants to enter, or is inside
static atomic_int turn;     // who may go first if both want to
static atomic_int inside;   // how many threads are in the critical section
static int entries;         // protected by the algorithm: a plain variable

static void lock(int me)
{
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other); // politely: after you
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
        // the other one is inside, or goes first
    }
}

static void unlock(int me)
{
    atomic_store(&wants[me], 0);
}

static void *worker(void *arg)
{
    int me = *(int *)arg;
    lock(me);
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    entries++;
    atomic_fetch_sub(&inside, 1);
    unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(entries == 2);
    return 0;
}
