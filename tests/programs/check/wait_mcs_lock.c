// expect: verified
// MCS lock with two threads
// also: --model tso => verified
// also: --model pso => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int waiting;
};

static struct node nodes[2];
static _Atomic(struct node *) tail;
static int x;

static void *worker(void *arg)
{
    struct node *me = arg, *expected = me, *next;
    struct node *before = atomic_exchange(&tail, me);
    if (before) {
        atomic_store(&me->waiting, 1);
        atomic_store(&before->next, me);
        while (atomic_load(&me->waiting)) {
        }
    }
    x++;
    if (!atomic_compare_exchange_strong(&tail, &expected, NULL)) {
        while (!(next = atomic_load(&me->next))) {
        }
        atomic_store(&next->waiting, 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, &nodes[0]);
    worker(&nodes[1]);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
