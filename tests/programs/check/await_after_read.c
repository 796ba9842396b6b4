// expect: livelock line 14
// the place is that of the loop, although the thread has read the location before; as graphs find it, and as steps do
// also: --explorer optimal => livelock line 14
// also: --explorer exhaustive => livelock line 14
// also: --model rc11 => livelock line 14
// also: --model tso => livelock line 14
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *thread_1(void *argument)
{
    assert(x != 1);
    while (!x)
        ;
    return NULL;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[1], NULL, thread_1, NULL);
    pthread_join(t[1], NULL);
    return 0;
}
