// expect: verified
// a loop that polls a flag until a deadline ends by the clock, even if nobody sets the flag
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_int flag;

static void *idle(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, idle, NULL);
    time_t end = time(NULL) + 2;
    while (!atomic_load(&flag) && time(NULL) < end) {
    }
    pthread_join(t, NULL);
    return 0;
}
