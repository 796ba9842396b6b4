// expect: verified
// selvedge: --model rc11
// copies, fills and single members of a structure that is handed over; executions as without copies
// executions: 2
// also: --model rc11 -- -DEARLY => data-race line 27|34
// also: --model ra -- -DEARLY => data-race line 27|34
// also: --model sc --explorer graph => verified
// also: --model tso --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#ifdef EARLY
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

struct job { int number; char name[6]; long size; };
static struct job slot;
static atomic_int ready;

static void *producer(void *arg)
{
    struct job job = {1, "hello", 42};
    slot = job;
    atomic_store_explicit(&ready, 1, ORDER);
    return arg;
}

static void consume(void)
{
    struct job job = slot;
    assert(job.number == 1 && job.size == 42 && !strcmp(job.name, "hello"));
    assert(slot.number == 1 && slot.name[1] == 'e');
    memset(&slot, 0, sizeof slot);
    assert(slot.size == 0 && slot.name[0] == 0);
    memcpy(slot.name + 1, job.name, 3);
    assert(slot.name[1] == 'h' && slot.name[4] == 0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        consume();
    pthread_join(t, NULL);
    return 0;
}
