// expect: verified
// two threads run one function, but with each of the macros something tells them apart: an error that only the second can make
// must be found with --symmetry, too
// also: --symmetry --explorer graph => verified
// also: --symmetry --explorer graph -- -DSELF => assertion line 90
// also: --symmetry --explorer graph -- -DRESULT => assertion line 92
// also: --symmetry --explorer graph -- -DARGUMENT => assertion line 94
// also: --symmetry --explorer graph -- -DADDRESS=1 => assertion line 38
// also: --symmetry --explorer graph -- -DADDRESS=0 => assertion line 38
// also: --symmetry --explorer graph -- -DJOIN_BETWEEN => assertion line 41
// also: --symmetry --explorer graph -- -DWATCHER => assertion line 41
// also: --symmetry --explorer graph -- -DJOIN_ONE => assertion line 74
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next, flag, first_is_done;
static pthread_t threads[2];
static pthread_t first;
static int first_argument;
static atomic_uintptr_t where;

static void *worker(void *argument)
{
    int ticket = atomic_fetch_add(&next, 1);
#ifdef SELF
    if (ticket == 0)
        first = pthread_self();
#endif
#ifdef ARGUMENT
    if (ticket == 0)
        first_argument = *(int *)argument;
#endif
#ifdef ADDRESS
    volatile int mine = ticket;
    uintptr_t other = atomic_exchange(&where, (uintptr_t)&mine);
    assert(other == 0 || (other < (uintptr_t)&mine) == ADDRESS);
#endif
#if defined JOIN_BETWEEN || defined WATCHER
    assert(!(ticket == 0 && atomic_load(&flag)));
#endif
    if (ticket == 0)
        atomic_store(&first_is_done, 1);
#ifdef RESULT
    return (void *)(intptr_t)ticket;
#else
    return argument;
#endif
}

static void *watcher(void *argument)
{
    pthread_join(threads[0], NULL);
    atomic_store(&flag, 1);
    return argument;
}

int main(void)
{
    static int arguments[2] = {0, 1};
    pthread_t handles[2];
    void *result = NULL;
    for (int i = 0; i < 2; i++) {
#ifdef ARGUMENT
        pthread_create(&handles[i], NULL, worker, &arguments[i]);
#else
        pthread_create(&handles[i], NULL, worker, NULL);
#endif
    }
    threads[0] = handles[0];
#ifdef JOIN_ONE
    pthread_join(handles[0], NULL);
    assert(atomic_load(&first_is_done));
    return 0;
#endif
#ifdef WATCHER
    pthread_t third;
    pthread_create(&third, NULL, watcher, NULL);
    pthread_join(third, NULL);
#else
    pthread_join(handles[0], &result);
#endif
#ifdef JOIN_BETWEEN
    atomic_store(&flag, 1);
#endif
    pthread_join(handles[1], NULL);
    (void)watcher, (void)arguments, (void)first_argument, (void)result;
#ifdef SELF
    assert(pthread_equal(first, handles[0]));
#elif defined RESULT
    assert(result == NULL);
#elif defined ARGUMENT
    assert(first_argument == 0);
#endif
    return 0;
}
