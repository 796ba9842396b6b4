// expect: verified
// selvedge: --model rc11
// a thread waits by updates that leave the value as it is, and by loads: it goes on when a load sees something new, and what
// its last update has released is seen
// also: --model rc11 -- -DRELAXED => data-race line 37|26
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acq_rel
#endif

static atomic_int asked, go;
static int data;

static void *waits(void *arg) {
    int there;
    do {
        // The last of these is the first one that the other thread may wait for.
        atomic_fetch_or_explicit(&asked, 0, ORDER);
        there = atomic_load_explicit(&go, memory_order_acquire);
    } while (!there);
    atomic_fetch_add_explicit(&asked, 2, ORDER);
    data = 1;
    atomic_fetch_or_explicit(&asked, 1, ORDER);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    atomic_store_explicit(&go, 1, memory_order_release);
    while (atomic_fetch_or_explicit(&asked, 0, ORDER) != 3) {
    }
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
