// expect: verified
// selvedge: --explorer exhaustive
// executions: 20
// the thread and main with three operations each between create and join: C(6, 3); plain variables count, too
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int mine, yours;

static void *worker(void *arg)
{
    yours = 1;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    mine = 1;
    atomic_store(&x, 2);
    atomic_fetch_add(&x, 3);
    pthread_join(t, NULL);
    return 0;
}
