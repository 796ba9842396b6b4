// selvedge: --explorer vieq
// expect: livelock line 31
// what a loop waits for is there for a while, and gone again before the loop has looked
// also: --explorer se-mcr => livelock line 31
// also: --explorer se-mcr --patience 0 => livelock line 31
// also: --explorer mcr => livelock line 31
// also: --explorer optimal => livelock line 31
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *sets(void *arg)
{
    flag = 1;
    return arg;
}

static void *takes(void *arg)
{
    atomic_exchange(&flag, 0);
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, sets, NULL);
    pthread_create(&other, NULL, takes, NULL);
    while (flag != 1) {
    }
    return 0;
}
